// The falling cubes of Cubefall in three.js: an InstancedMesh whose matrices are computed in each frame.
//
//   ?cubes=10000&backend=webgl&matrices=objects
//
// `backend` is webgl (WebGLRenderer) or webgpu (WebGPURenderer). `matrices` is how they are computed: `objects`
// with Matrix4.compose, or `arrays` by hand into the array of the mesh.

const parameters = new URLSearchParams(location.search);
const COUNT = Number(parameters.get("cubes") ?? 10_000);
const BACKEND = parameters.get("backend") ?? "webgl";
const MATRICES = parameters.get("matrices") ?? "objects";

const THREE = await import(BACKEND === "webgpu" ? "three/webgpu" : "three");

// Half the edge of the box around the origin that the cubes fill, in m. Its bottom is the ground.
const HALF_EXTENT = 100;
// The palette "ember" of Cubefall.
const COLORS = [0x3b1338, 0x651c49, 0x932653, 0xc03349, 0xe35339, 0xf28031, 0xfcad4c, 0xffd881, 0xfff4d6];
// The longest step, in s, so that cubes do not jump after a pause.
const MAX_STEP = 0.1;

// A random number from 0 to 1 (mulberry32).
let seed = 1;
function random() {
  seed = (seed + 0x6d2b79f5) | 0;
  let bits = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
  return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
}
const between = (low, high) => low + (high - low) * random();

// All values of the cubes in arrays, index i is one cube.
const positions = new Float32Array(3 * COUNT);
const rotations = new Float32Array(4 * COUNT);
const edges = new Float32Array(COUNT);
const velocities = new Float32Array(COUNT);
const gravities = new Float32Array(COUNT);
const spins = new Float32Array(3 * COUNT);

// Edges as in Cubefall: any number of cubes fills the same fraction of the box.
const growth = Math.min(Math.cbrt(10_000 / COUNT), 4);
const axis = new THREE.Vector3();
const turned = new THREE.Quaternion();
for (let i = 0; i < COUNT; i += 1) {
  for (let k = 0; k < 3; k += 1) positions[3 * i + k] = between(-HALF_EXTENT, HALF_EXTENT);
  turned.random().toArray(rotations, 4 * i);
  edges[i] = between(0.8, 2) * growth;
  gravities[i] = -between(1, 10);
  axis.randomDirection().multiplyScalar(between(0.25, 2)).toArray(spins, 3 * i);
}

const scene = new THREE.Scene();
scene.background = new THREE.Color(0xb4c2d2);
const sun = new THREE.DirectionalLight(0xfff0dc, 3);
sun.position.set(0.6, 1, 0.8);
scene.add(sun, new THREE.HemisphereLight(0x9db6d8, 0x555555, 2));
const ground = new THREE.Mesh(new THREE.PlaneGeometry(3000, 3000), new THREE.MeshLambertMaterial({ color: 0x808488 }));
ground.rotation.x = -Math.PI / 2;
ground.position.y = -HALF_EXTENT;
const grid = new THREE.GridHelper(1000, 100, 0xd0d0d0, 0xb0b0b0);
grid.position.y = -HALF_EXTENT + 0.1;
scene.add(ground, grid);

const cubes = new THREE.InstancedMesh(new THREE.BoxGeometry(1, 1, 1), new THREE.MeshLambertMaterial(), COUNT);
cubes.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
cubes.frustumCulled = false;
const color = new THREE.Color();
for (let i = 0; i < COUNT; i += 1) cubes.setColorAt(i, color.set(COLORS[Math.floor(random() * COLORS.length)]));
scene.add(cubes);

const camera = new THREE.PerspectiveCamera(50, 1, 0.1, 4000);
camera.position.set(0, -40, 104);
camera.rotation.x = -0.21;

const Renderer = BACKEND === "webgpu" ? THREE.WebGPURenderer : THREE.WebGLRenderer;
const renderer = new Renderer({ antialias: false });
document.body.append(renderer.domElement);
function resize() {
  renderer.setPixelRatio(devicePixelRatio);
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
window.addEventListener("resize", resize);
resize();
await renderer.init?.();

// Constant gravity and spin for `dt` seconds; a cube that falls through the ground starts again at the top.
function integrate(dt) {
  for (let i = 0; i < COUNT; i += 1) {
    positions[3 * i + 1] += velocities[i] * dt + 0.5 * gravities[i] * dt * dt;
    velocities[i] += gravities[i] * dt;
    if (positions[3 * i + 1] < -HALF_EXTENT) {
      positions[3 * i + 1] = HALF_EXTENT;
      velocities[i] = 0;
    }
    // q' = exp(w dt / 2) q, the exponential to the second order, then normalized.
    const hx = spins[3 * i] * 0.5 * dt;
    const hy = spins[3 * i + 1] * 0.5 * dt;
    const hz = spins[3 * i + 2] * 0.5 * dt;
    const hw = 1 - 0.5 * (hx * hx + hy * hy + hz * hz);
    const x = rotations[4 * i];
    const y = rotations[4 * i + 1];
    const z = rotations[4 * i + 2];
    const w = rotations[4 * i + 3];
    const nx = hw * x + hx * w + hy * z - hz * y;
    const ny = hw * y + hy * w + hz * x - hx * z;
    const nz = hw * z + hz * w + hx * y - hy * x;
    const nw = hw * w - hx * x - hy * y - hz * z;
    const inverse = 1 / Math.sqrt(nx * nx + ny * ny + nz * nz + nw * nw);
    rotations[4 * i] = nx * inverse;
    rotations[4 * i + 1] = ny * inverse;
    rotations[4 * i + 2] = nz * inverse;
    rotations[4 * i + 3] = nw * inverse;
  }
}

const position = new THREE.Vector3();
const scale = new THREE.Vector3();
const matrix = new THREE.Matrix4();
function composeWithObjects() {
  for (let i = 0; i < COUNT; i += 1) {
    position.fromArray(positions, 3 * i);
    turned.fromArray(rotations, 4 * i);
    scale.setScalar(edges[i]);
    cubes.setMatrixAt(i, matrix.compose(position, turned, scale));
  }
}

function composeInArrays() {
  const { array } = cubes.instanceMatrix;
  for (let i = 0; i < COUNT; i += 1) {
    const x = rotations[4 * i];
    const y = rotations[4 * i + 1];
    const z = rotations[4 * i + 2];
    const w = rotations[4 * i + 3];
    const edge = edges[i];
    const at = 16 * i;
    array[at] = (1 - 2 * (y * y + z * z)) * edge;
    array[at + 1] = 2 * (x * y + w * z) * edge;
    array[at + 2] = 2 * (x * z - w * y) * edge;
    array[at + 4] = 2 * (x * y - w * z) * edge;
    array[at + 5] = (1 - 2 * (x * x + z * z)) * edge;
    array[at + 6] = 2 * (y * z + w * x) * edge;
    array[at + 8] = 2 * (x * z + w * y) * edge;
    array[at + 9] = 2 * (y * z - w * x) * edge;
    array[at + 10] = (1 - 2 * (x * x + y * y)) * edge;
    array[at + 12] = positions[3 * i];
    array[at + 13] = positions[3 * i + 1];
    array[at + 14] = positions[3 * i + 2];
    array[at + 15] = 1;
  }
}

const compose = MATRICES === "arrays" ? composeInArrays : composeWithObjects;
let last = performance.now();
let frames = 0;
renderer.setAnimationLoop((now) => {
  const dt = Math.min(Math.max((now - last) / 1000, 0), MAX_STEP);
  last = now;
  integrate(dt);
  compose();
  cubes.instanceMatrix.needsUpdate = true;
  renderer.render(scene, camera);
  frames += 1;
  document.body.dataset.frames = frames;
  document.body.dataset.state = "running";
});
