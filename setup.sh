#!/bin/sh
# Installs missing system packages that Cubefall needs:
#   ./setup.sh            linker, Vulkan driver, keyboard and gamepad libraries
#   ./setup.sh --tests    also a virtual display, input and screenshot tools, a window manager and
#                         ffmpeg, for the tests
#   ./setup.sh --browser  also a browser, for the tests of the benchmark report
# Supports Debian, Ubuntu, Fedora and Arch, as root or with sudo. Does nothing if all packages are
# installed, and on macOS and Windows, which need none.
set -eu
# On Debian, ldconfig is not on the path of an ordinary user.
PATH="$PATH:/usr/sbin:/sbin"

tests=no browser=no
case "${1-}" in
    '') ;;
    --tests) tests=yes ;;
    --browser) browser=yes ;;
    *) echo "usage: $0 [--tests | --browser]" >&2; exit 2 ;;
esac
[ "$(uname -s)" = Linux ] || exit 0

if ! command -v cargo >/dev/null 2>&1; then
    echo "cargo is missing: install Rust 1.95 or later from https://rustup.rs, then run this again" >&2
    exit 1
fi

has_command() { command -v "$1" >/dev/null 2>&1; }
# The files to link with a library, not just the library.
has_headers() { command -v pkg-config >/dev/null 2>&1 && pkg-config --exists "$1"; }
has_library() { ldconfig -p 2>/dev/null | grep -q "$1"; }
has_driver() {
    for folder in /usr/share/vulkan/icd.d /etc/vulkan/icd.d /usr/local/share/vulkan/icd.d; do
        for driver in "$folder"/*.json; do
            [ -e "$driver" ] && return 0
        done
    done
    return 1
}

# Each line: a check, and the packages to install if it fails, on Debian, Fedora and Arch.
debian='' fedora='' arch=''
need() { debian="$debian $1"; fedora="$fedora $2"; arch="$arch $3"; }
has_command cc || need 'gcc libc6-dev' gcc gcc
has_headers libudev || need 'pkg-config libudev-dev' 'pkgconf-pkg-config systemd-devel' 'pkgconf systemd-libs'
has_library libvulkan.so.1 || need libvulkan1 vulkan-loader vulkan-icd-loader
has_driver || need mesa-vulkan-drivers mesa-vulkan-drivers vulkan-swrast
has_library libxkbcommon-x11.so.0 || need libxkbcommon-x11-0 libxkbcommon-x11 libxkbcommon-x11
has_library libXcursor.so.1 || need libxcursor1 libXcursor libxcursor
has_library libXi.so.6 || need libxi6 libXi libxi
has_library libX11-xcb.so.1 || need libx11-xcb1 libX11-xcb libx11
if [ $tests = yes ]; then
    has_command Xvfb || need xvfb xorg-x11-server-Xvfb xorg-server-xvfb
    has_command xdotool || need xdotool xdotool xdotool
    has_command openbox || need openbox openbox openbox
    has_command xprop || need x11-utils xprop xorg-xprop
    has_command import || need imagemagick ImageMagick imagemagick
    { has_command ffmpeg && has_command ffprobe; } || need ffmpeg ffmpeg-free ffmpeg
fi
if [ $browser = yes ]; then
    has_command chromium || has_command chromium-browser || has_command google-chrome \
        || need chromium chromium chromium
fi
[ -n "$debian" ] || exit 0

root=''
if [ "$(id -u)" -ne 0 ]; then
    has_command sudo || { echo "run $0 as root, or install sudo" >&2; exit 1; }
    root=sudo
fi
# The lists are split into words on purpose.
# shellcheck disable=SC2086
if has_command apt-get; then
    $root apt-get update -q
    $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $debian
elif has_command dnf; then
    $root dnf install -y $fedora
elif has_command pacman; then
    $root pacman -Syu --needed --noconfirm $arch
else
    echo "found no apt-get, dnf or pacman: install the equivalent of these Debian packages:$debian" >&2
    exit 1
fi
