// The workloads of this folder with EnTT, which is C++ and so cannot share a process with the others. `peers --entt PROGRAM`
// calls the program with the short name of a workload and a count; it prints nanoseconds of CPU time per entity, or
// nothing if EnTT has no such operation.
//
//     g++ -O3 -DNDEBUG -std=c++20 -I entt/single_include -o target/release/peers-entt benches/peers/entt.cpp

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iterator>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <entt/entt.hpp>

#ifndef NDEBUG
#error "build with -DNDEBUG, or EnTT checks every call"
#endif

namespace {

// Components and arithmetic, as in src/components.rs.

constexpr float step = 1.0f / 60.0f;
constexpr std::size_t probe = 7;
constexpr std::size_t numbered_types = 26;

struct Transform {
    std::array<float, 3> position, rotation, scale;
};
struct RigidBody {
    std::array<float, 3> velocity, acceleration;
};
struct Gravity {
    std::array<float, 3> value;
};
struct Color {
    std::uint32_t value;
};
struct Marker {
    std::uint32_t value;
};
struct Data {
    float value;
};
template<std::size_t Number>
struct Numbered {
    float value;
};

struct Cube {
    Transform transform;
    Color color;
    RigidBody body;
    Gravity gravity;
};

Cube cube(std::size_t number) {
    const auto at = static_cast<float>(number);
    return {
        {{at, 0.5f * at, 0.25f * at}, {0.0f, 0.0f, 0.0f}, {1.0f, 1.0f, 1.0f}},
        {static_cast<std::uint32_t>(number)},
        {{0.001f * at, 1.0f, 0.0f}, {0.0f, 0.0f, 0.1f}},
        {{0.0f, -9.81f, 0.0f}},
    };
}

inline void integrate(Transform &transform, RigidBody &body, const Gravity &gravity) {
    for (int axis = 0; axis < 3; ++axis) {
        const float pull = gravity.value[axis] + body.acceleration[axis];
        transform.position[axis] += body.velocity[axis] * step + pull * step * step / 2.0f;
        body.velocity[axis] += pull * step;
    }
}

[[gnu::noinline]] void integrate_page(
    Transform *__restrict transforms, RigidBody *__restrict bodies, const Gravity *__restrict gravities, std::size_t count
) {
    for (std::size_t index = 0; index < count; ++index) {
        integrate(transforms[index], bodies[index], gravities[index]);
    }
}

inline void drift(Transform &transform, const RigidBody &body) {
    for (int axis = 0; axis < 3; ++axis) {
        transform.position[axis] += body.velocity[axis] * step;
    }
}

[[gnu::noinline]] void double_page(Data *values, std::size_t count) {
    for (std::size_t index = 0; index < count; ++index) {
        values[index].value *= 2.0f;
    }
}

void require(bool holds, const char *message) {
    if (!holds) {
        std::fprintf(stderr, "%s\n", message);
        std::exit(1);
    }
}

void require_integrated(std::size_t steps, const Transform &found) {
    Cube expected = cube(probe);
    for (std::size_t done = 0; done < steps; ++done) {
        integrate(expected.transform, expected.body, expected.gravity);
    }
    for (int axis = 0; axis < 3; ++axis) {
        const float value = expected.transform.position[axis];
        // Compilers may contract to other roundings.
        require(std::abs(found.position[axis] - value) <= 1e-3f * (1.0f + std::abs(value)), "wrong position");
    }
}

// Time, as in src/workload.rs.

constexpr std::int64_t shortest = 2'000'000;

std::int64_t now() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
}

// Keeps the compiler from leaving out what computes `value`.
template<typename T>
void used(T &value) {
    asm volatile("" : : "r"(&value) : "memory");
}

double per_entity(std::int64_t spent, std::size_t runs, std::size_t count) {
    return static_cast<double>(spent) / static_cast<double>(runs * count);
}

template<typename Work>
double repeated(std::size_t count, Work work) {
    work();
    for (std::size_t runs = 1;; runs *= 2) {
        const auto start = now();
        for (std::size_t run = 0; run < runs; ++run) {
            work();
        }
        const auto spent = now() - start;
        if (spent >= shortest) {
            return per_entity(spent, runs, count);
        }
    }
}

// Neither `set_up` nor the destruction of the state is counted.
template<typename SetUp, typename Work>
double fresh(std::size_t count, SetUp set_up, Work work) {
    {
        // Not counted: the other libraries run in a process that has had memory for all of this before.
        auto state = set_up();
        work(state);
        used(state);
    }
    std::int64_t spent = 0;
    std::size_t runs = 0;
    while (spent < shortest) {
        auto state = set_up();
        const auto start = now();
        work(state);
        spent += now() - start;
        ++runs;
        used(state);
    }
    return per_entity(spent, runs, count);
}

// Worlds.

struct World {
    entt::registry registry;
    std::vector<entt::entity> entities;
};

auto cubes_of(entt::registry &registry) {
    return registry.group<Transform, Color, RigidBody, Gravity>();
}

// One owning group. That of two components around it, as in Cubefall, would conflict with it here.
World empty() {
    World world;
    static_cast<void>(cubes_of(world.registry));
    return world;
}

// Iterates over one component of cubes, numbered from 0.
template<auto Member>
struct Made {
    using value_type = std::remove_cvref_t<decltype(std::declval<Cube>().*Member)>;
    using difference_type = std::ptrdiff_t;
    using pointer = const value_type *;
    using reference = value_type;
    using iterator_category = std::input_iterator_tag;

    std::size_t number = 0;

    value_type operator*() const {
        return cube(number).*Member;
    }
    Made &operator++() {
        ++number;
        return *this;
    }
    Made operator++(int) {
        return {number++};
    }
};

void create_batch(World &world, std::size_t count) {
    auto &[registry, entities] = world;
    entities.resize(count);
    registry.create(entities.begin(), entities.end());
    registry.insert<Transform>(entities.begin(), entities.end(), Made<&Cube::transform>());
    registry.insert<Color>(entities.begin(), entities.end(), Made<&Cube::color>());
    registry.insert<RigidBody>(entities.begin(), entities.end(), Made<&Cube::body>());
    registry.insert<Gravity>(entities.begin(), entities.end(), Made<&Cube::gravity>());
}

World filled(std::size_t count) {
    auto world = empty();
    create_batch(world, count);
    return world;
}

World shuffled(std::size_t count) {
    auto world = filled(count);
    std::uint64_t state = 0x9e3779b97f4a7c15;
    for (std::size_t last = world.entities.size() - 1; last >= 1; --last) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        std::swap(world.entities[last], world.entities[state % (last + 1)]);
    }
    return world;
}

// The arrays consist of pages: `visit` gets the number of a page and how many elements it has.
template<typename Component, typename Visit>
void each_page(std::size_t count, Visit visit) {
    constexpr auto size = entt::component_traits<Component, entt::entity>::page_size;
    for (std::size_t first = 0; first < count; first += size) {
        visit(first / size, std::min(size, count - first));
    }
}

double measure_fragmented(std::size_t count) {
    entt::registry registry;
    const auto each = count / numbered_types;
    const auto spawn = [&]<std::size_t Number>() {
        for (std::size_t left = each; left > 0; --left) {
            const auto entity = registry.create();
            registry.emplace<Numbered<Number>>(entity, 0.0f);
            registry.emplace<Data>(entity, 1.0f);
        }
    };
    [&]<std::size_t... Number>(std::index_sequence<Number...>) {
        (spawn.template operator()<Number>(), ...);
    }(std::make_index_sequence<numbered_types>());
    return repeated(each * numbered_types, [&] {
        auto &data = registry.storage<Data>();
        each_page<Data>(data.size(), [&](std::size_t page, std::size_t size) { double_page(data.raw()[page], size); });
    });
}

double measure_integrate(std::size_t count) {
    auto world = filled(count);
    std::size_t steps = 0;
    const auto time = repeated(count, [&] {
        const auto group = cubes_of(world.registry);
        auto *const *transforms = group.storage<Transform>()->raw();
        auto *const *bodies = group.storage<RigidBody>()->raw();
        auto *const *gravities = group.storage<Gravity>()->raw();
        each_page<Transform>(group.size(), [&](std::size_t page, std::size_t size) {
            integrate_page(transforms[page], bodies[page], gravities[page], size);
        });
        ++steps;
    });
    require_integrated(steps, world.registry.get<Transform>(world.entities[probe]));
    return time;
}

// Takes two components from all entities, gives them to a camera and back, with range operations.
double measure_flip(std::size_t count) {
    auto world = filled(count);
    auto &[registry, entities] = world;
    const auto camera = registry.create();
    registry.emplace<Transform>(camera);
    std::vector<RigidBody> bodies(count);
    std::vector<Gravity> gravities(count);
    const auto time = repeated(count, [&] {
        auto &all_bodies = registry.storage<RigidBody>();
        auto &all_gravities = registry.storage<Gravity>();
        for (std::size_t index = 0; index < count; ++index) {
            bodies[index] = all_bodies.get(entities[index]);
            gravities[index] = all_gravities.get(entities[index]);
        }
        // From the end, so that no other member moves.
        registry.remove<RigidBody, Gravity>(entities.rbegin(), entities.rend());
        registry.emplace<RigidBody>(camera);
        registry.emplace<Gravity>(camera);
        registry.remove<RigidBody, Gravity>(camera);
        registry.insert<RigidBody>(entities.begin(), entities.end(), bodies.begin());
        registry.insert<Gravity>(entities.begin(), entities.end(), gravities.begin());
    });
    require(registry.get<RigidBody>(entities[probe]).velocity == cube(probe).body.velocity, "wrong velocity");
    require(cubes_of(registry).size() == count, "members are missing");
    return time;
}

std::optional<double> measure(std::string_view workload, std::size_t count) {
    if (workload == "a") {
        return measure_integrate(count);
    }
    if (workload == "b1") {
        return fresh(count, empty, [count](World &world) {
            auto &registry = world.registry;
            registry.storage<entt::entity>().reserve(count);
            registry.storage<Transform>().reserve(count);
            registry.storage<Color>().reserve(count);
            registry.storage<RigidBody>().reserve(count);
            registry.storage<Gravity>().reserve(count);
            for (std::size_t number = 0; number < count; ++number) {
                const auto made = cube(number);
                const auto entity = registry.create();
                registry.emplace<Transform>(entity, made.transform);
                registry.emplace<Color>(entity, made.color);
                registry.emplace<RigidBody>(entity, made.body);
                registry.emplace<Gravity>(entity, made.gravity);
            }
        });
    }
    if (workload == "bb") {
        return fresh(count, empty, [count](World &world) { create_batch(world, count); });
    }
    if (workload == "c1") {
        return fresh(count, [count] { return shuffled(count); }, [](World &world) {
            for (const auto entity : world.entities) {
                world.registry.destroy(entity);
            }
        });
    }
    if (workload == "cb") {
        return fresh(count, [count] { return shuffled(count); }, [](World &world) {
            world.registry.destroy(world.entities.begin(), world.entities.end());
        });
    }
    if (workload == "f") {
        return measure_fragmented(count);
    }
    if (workload == "g") {
        return measure_flip(count);
    }
    if (workload == "e1" || workload == "e2") {
        auto world = shuffled(count);
        const bool hoisted = workload == "e1";
        return repeated(count, [&] {
            float sum = 0.0f;
            if (hoisted) {
                const auto &transforms = world.registry.storage<Transform>();
                for (const auto entity : world.entities) {
                    sum += transforms.get(entity).position[0];
                }
            } else {
                for (const auto entity : world.entities) {
                    sum += world.registry.get<Transform>(entity).position[0];
                }
            }
            used(sum);
        });
    }
    auto world = filled(count);
    auto &[registry, entities] = world;
    if (workload == "d1") {
        return repeated(count, [&] {
            for (const auto entity : entities) {
                const auto gravity = registry.get<Gravity>(entity);
                registry.remove<Gravity>(entity);
                registry.emplace<Gravity>(entity, gravity);
            }
        });
    }
    if (workload == "dm") {
        return repeated(count, [&] {
            for (const auto entity : entities) {
                registry.emplace<Marker>(entity, 1u);
                registry.remove<Marker>(entity);
            }
        });
    }
    if (workload == "q1") {
        return repeated(count, [&] {
            for (auto [entity, color] : registry.view<Color>().each()) {
                ++color.value;
            }
        });
    }
    if (workload == "q2") {
        return repeated(count, [&] {
            for (auto [entity, transform, color, body, gravity] : cubes_of(registry).each()) {
                drift(transform, body);
            }
        });
    }
    if (workload == "q1e") {
        return repeated(count, [&] { registry.view<Color>().each([](Color &color) { ++color.value; }); });
    }
    if (workload == "q2e") {
        return repeated(count, [&] {
            cubes_of(registry).each([](Transform &transform, Color &, RigidBody &body, Gravity &) { drift(transform, body); });
        });
    }
    // EnTT has no array per field.
    require(workload == "af", "unknown workload");
    return std::nullopt;
}

}  // namespace

int main(int count, char **words) {
    if (count != 3) {
        std::fprintf(stderr, "expected the short name of a workload and a count\n");
        return 1;
    }
    if (const auto time = measure(words[1], std::strtoull(words[2], nullptr, 10))) {
        std::printf("%f\n", *time);
    }
}
