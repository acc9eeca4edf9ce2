#!/bin/sh
# Installs what Cubefall needs and this machine lacks:
#   ./setup.sh            Rust, linker, Vulkan driver, keyboard and gamepad libraries
#   ./setup.sh --tests    also a virtual display, input and screenshot tools, a window manager, ffmpeg
#                         and shellcheck, for the tests
#   ./setup.sh --browser  also two browsers, Node.js and Python, for the tests of the benchmark report and the page
#   ./setup.sh --yes      answers yes to all questions, for scripts
# Supports Debian, Ubuntu, Fedora and Arch, as root or where sudo is installed, which it calls itself. Does nothing if nothing is missing,
# and on macOS and Windows, which need Rust only (https://rustup.rs).
set -eu
# On Debian, ldconfig is not on the path of an ordinary user.
PATH="$PATH:/usr/sbin:/sbin"

tests=no browser=no yes=no
for argument; do
    case "$argument" in
        --tests) tests=yes ;;
        --browser) browser=yes ;;
        --yes) yes=yes ;;
        *) echo "usage: $0 [--tests] [--browser] [--yes]" >&2; exit 2 ;;
    esac
done
[ "$(uname -s)" = Linux ] || exit 0
case "$(id -u) ${SUDO_UID:-0} ${SUDO_COMMAND-}" in
    '0 0 '*) ;;
    '0 '*setup.sh*)
        echo "run $0 without sudo, which it calls where it needs root: Rust is installed for one user" >&2
        exit 1
        ;;
esac

has_command() { command -v "$1" >/dev/null 2>&1; }
# The files to link with a library, not just the library.
has_headers() { has_command pkg-config && pkg-config --exists "$1"; }
has_library() { ldconfig -p 2>/dev/null | grep -q "$1"; }
has_driver() {
    for folder in /usr/share/vulkan/icd.d /etc/vulkan/icd.d /usr/local/share/vulkan/icd.d; do
        for driver in "$folder"/*.json; do
            [ -e "$driver" ] && return 0
        done
    done
    return 1
}
minimum_rust=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$(dirname "$0")/Cargo.toml")
has_rust() {
    found=$(cargo --version 2>/dev/null | cut -d ' ' -f 2)
    [ -n "$found" ] && [ "$(printf '%s\n' "$minimum_rust" "$found" | sort -V | head -n 1)" = "$minimum_rust" ]
}

# Each line: a check, and the packages to install if it fails, on Debian, Fedora and Arch.
debian='' fedora='' arch=''
need() { debian="$debian $1"; fedora="$fedora $2"; arch="$arch $3"; }
has_command cc || need 'gcc libc6-dev' gcc gcc
# cargo downloads crates over HTTPS.
[ -n "$(ls -A /etc/ssl/certs 2>/dev/null)" ] || need ca-certificates ca-certificates ca-certificates
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
    has_command script || need bsdutils util-linux-script util-linux
    has_command shellcheck || need shellcheck ShellCheck shellcheck
fi
has_node() { major=$(node --version 2>/dev/null | tr -d v | cut -d . -f 1); [ "${major:-0}" -ge 20 ]; }
if [ $browser = yes ]; then
    chromium=chromium firefox=firefox-esr
    # Ubuntu has others, of its snaps.
    ! grep -qs '^ID=ubuntu$' /etc/os-release || { chromium='chromium-browser' firefox='firefox'; }
    has_command chromium || has_command chromium-browser || has_command google-chrome \
        || need $chromium chromium chromium
    has_command firefox-esr || has_command firefox || need $firefox firefox firefox
    has_command xvfb-run || need xvfb xorg-x11-server-Xvfb xorg-server-xvfb
    has_command xauth || need xauth xorg-x11-xauth xorg-xauth
    has_node || need nodejs nodejs nodejs
    has_command npm || need npm nodejs-npm npm
    has_command python3 || need python3 python3 python
fi

can_install() { [ "$(id -u)" -eq 0 ] || has_command sudo; }

# How Rust is installed: `present` (it is), `rustup` (a rustup is here), `package` (the rustup of the
# distribution) or `installer` (the one of https://rustup.rs).
bin=${CARGO_HOME:-${HOME-}/.cargo}/bin
has_hidden_rust() { (PATH="$bin:$PATH"; has_rust); }
if has_rust || has_hidden_rust; then
    rust=present
elif has_command rustup; then
    rust=rustup
elif has_command cargo || has_command dnf || ! can_install; then
    # The rustup of Debian and Arch replaces a cargo that is too old, and what depends on it; that of
    # Fedora is the installer. The installer needs no root.
    rust=installer
else
    rust=package
fi
need_curl() { has_command curl || need curl curl curl; }
[ $rust != installer ] || need_curl
[ -n "$debian" ] || ! has_rust || exit 0

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif has_command sudo; then
        sudo "$@"
    else
        echo "run $0 as root, or install sudo; missing packages (Debian names):$debian" >&2
        exit 1
    fi
}
if has_command apt-get; then
    case "$rust$debian" in
        present | rustup | installer) ;;
        # Fails if any repository does, although others may have the packages.
        *) as_root apt-get update -q || echo 'apt-get update failed: see above' >&2 ;;
    esac
    # Debian 13 and Ubuntu 24.04 have a rustup, older ones do not.
    [ $rust != package ] || apt-cache madison rustup | grep -q . || { rust=installer; need_curl; }
elif [ "$rust$debian" != present ] && ! has_command dnf && ! has_command pacman; then
    echo "found no apt-get, dnf or pacman to install packages with: make sure that you have Rust $minimum_rust or later and" \
        "the equivalent of these Debian packages, and run cargo without this script:$debian" >&2
    exit 1
fi
[ $rust != package ] || { need rustup rustup rustup; rust=rustup; }

# The lists are split into words on purpose.
# shellcheck disable=SC2086
install_packages() {
    if has_command apt-get; then
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q --no-install-recommends "${1:--y}" $debian
    elif has_command dnf; then
        as_root dnf install -y $fedora
    else
        # Arch supports no other way to install a package than with an update of the system.
        as_root pacman -Syu --needed --noconfirm $arch
    fi
}

# Say what is installed and how much; dnf and pacman say it themselves.
if [ -n "$debian" ] && has_command apt-get; then
    echo "Packages to install:$debian"
    # Ends with an error because nothing is installed.
    LC_ALL=C install_packages --assume-no | grep -E '^(Need to get|After this operation)' || true
fi
if [ $rust != present ]; then
    echo "Rust $minimum_rust or later to install: about 130 MB to download, 600 MB on disk, in your home folder."
fi
if [ $rust = installer ] && [ $yes = no ]; then
    answer=''
    if [ -t 0 ]; then
        printf 'Download and run the installer of https://rustup.rs? [y/N] '
        read -r answer || true
    fi
    case "$answer" in
        [yY]*) ;;
        *) echo "install Rust $minimum_rust or later from https://rustup.rs, or run $0 --yes" >&2; exit 1 ;;
    esac
fi

[ -z "$debian" ] || install_packages
[ $browser = no ] || has_node || {
    echo 'install Node.js 20 or later from https://nodejs.org: that of this system is older' >&2
    exit 1
}
case $rust in
    rustup)
        echo 'stable becomes the default toolchain of rustup'
        rustup toolchain install stable --profile minimal --component clippy --component rustfmt
        rustup default stable
        ;;
    installer)
        installer=$(mktemp)
        trap 'rm -f "$installer"' EXIT
        curl --proto '=https' --tlsv1.2 -sSf https://static.rust-lang.org/rustup/rustup-init.sh -o "$installer"
        sh "$installer" -y --profile minimal --component clippy --component rustfmt
        ;;
esac
has_rust && exit 0
if has_hidden_rust; then
    echo "Rust is in $bin, but this shell finds another or none. Run this, then repeat the command:" >&2
    echo "    export PATH=\"$bin:\$PATH\"" >&2
else
    echo "cargo is still ${found:-missing}: RUSTUP_TOOLCHAIN, \`rustup override\` or a rust-toolchain.toml selects it (rustup show)" >&2
fi
exit 1
