#!/usr/bin/env bash
# Builds the files of a release from the current commit into target/dist:
#   packaging/release.sh [TARGET...]
# TARGET is x86_64-unknown-linux-gnu (archive) or x86_64-pc-windows-gnu (zip; needs gcc-mingw-w64-x86-64 and `rustup target add`);
# the default is that of this machine, which also gives a Debian package. Times and paths of this
# machine are removed, so that a second build of a commit can have the same bytes.
set -euo pipefail
unset CDPATH
cd "$(dirname "$0")/.."
export CARGO_TARGET_DIR=target

for target; do
    case $target in
    x86_64-unknown-linux-gnu) ;;
    x86_64-pc-windows-gnu)
        for tool in zip x86_64-w64-mingw32-gcc; do
            command -v $tool >/dev/null || { echo 'first: apt-get install zip gcc-mingw-w64-x86-64' >&2; exit 1; }
        done
        ;;
    *) echo "usage: $0 [x86_64-unknown-linux-gnu] [x86_64-pc-windows-gnu]" >&2; exit 2 ;;
    esac
done
for tool in cargo-about cargo-deb; do
    command -v $tool >/dev/null || {
        echo 'first: cargo install --locked cargo-deb && cargo install --locked --features cli cargo-about' >&2
        exit 1
    }
done
# Without it, cargo-deb leaves out the dependencies that it computes.
command -v dpkg-shlibdeps >/dev/null || { echo 'first: apt-get install dpkg-dev' >&2; exit 1; }
[ -z "$(git status --porcelain)" ] || { echo "commit the changes first: a release is built from a commit" >&2; exit 1; }

host=$(rustc -vV | sed -n 's/^host: //p')
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
dist=target/dist
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC CARGO_INCREMENTAL=0 CARGO_PROFILE_RELEASE_STRIP=debuginfo
umask 022

# build TARGET [CARGO ARGUMENT...]: builds for release, without what depends on this machine.
build() {
    # Folders in the paths that panic messages contain.
    local flags=(
        "--remap-path-prefix=$(rustc --print sysroot)/lib/rustlib/src/rust=/rust"
        "--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo"
        "--remap-path-prefix=$PWD=/cubefall"
    )
    # The linker writes the time into Windows programs.
    case $1 in *-windows-gnu) flags+=('-Clink-arg=-Wl,--no-insert-timestamp') ;; esac
    CARGO_ENCODED_RUSTFLAGS=$(IFS=$'\x1f' && echo "${flags[*]}") \
        cargo build --release --locked --target "$1" "${@:2}"
}

# Files that are the same on every platform.
common=$dist/common
rm -rf $dist
mkdir -p $common
build "$host"
cubefall=target/$host/release/cubefall
mkdir $common/completions $common/man
$cubefall completions bash >$common/completions/cubefall.bash
$cubefall completions zsh >$common/completions/_cubefall
$cubefall completions fish >$common/completions/cubefall.fish
$cubefall completions powershell >$common/completions/_cubefall.ps1
$cubefall man $common/man
cp LICENSE-APACHE LICENSE-MIT $common
# Links lead to files of the repository.
sed -E 's/\[([^]]+)\]\([^)]+\)/\1/g' CHANGELOG.md >$common/CHANGELOG.md
packaging/licenses.sh $common/THIRD-PARTY-LICENSES.txt cubefall x86_64-{unknown-linux,pc-windows}-gnu aarch64-apple-darwin

for target in "${@:-$host}"; do
    name=cubefall-$version-$target
    folder=$dist/$name
    build "$target"
    cp -r $common "$folder"
    case $target in
    *-linux-gnu)
        # bin and share are made to be copied to /usr/local or ~/.local.
        share=$folder/share
        mkdir -p "$share"/{bash-completion/completions,zsh/site-functions,fish/vendor_completions.d}
        mkdir -p "$share"/{man,applications,icons/hicolor/64x64/apps} "$folder/bin"
        cp "target/$target/release/cubefall" "$folder/bin"
        mv "$folder/completions/cubefall.bash" "$share/bash-completion/completions/cubefall"
        mv "$folder/completions/_cubefall" "$share/zsh/site-functions"
        mv "$folder/completions/cubefall.fish" "$share/fish/vendor_completions.d"
        mv "$folder/man" "$share/man/man1"
        rm -r "$folder/completions"
        cp packaging/cubefall.desktop "$share/applications"
        cp src/app/desktop/icon.png "$share/icons/hicolor/64x64/apps/cubefall.png"
        libraries="glibc $(objdump -T "$folder/bin/cubefall" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1 | cut -d _ -f 2)"
        ;;
    *-windows-*)
        cp "target/$target/release/cubefall.exe" "$folder"
        rm -r "$folder/man"
        libraries='Windows 10'
        ;;
    esac
    printf '%s\n' "cubefall $version, commit $(git rev-parse HEAD)" "built by $(rustc --version) for $target" \
        "needs $libraries or later" >"$folder/BUILD"
    find "$folder" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    case $target in
    *-windows-*) (cd $dist && find "$name" -type f | sort | zip -qX "$name.zip" -@) ;;
    *) tar -C $dist --sort=name --owner=0 --group=0 --numeric-owner --mode=go-w -c "$name" | gzip -9n >"$folder.tar.gz" ;;
    esac
    if [ "$target" = "$host" ]; then
        # The names that the assets of Cargo.toml have, and the changelog that Debian asks for.
        cp -r "$folder" $dist/deb
        printf 'cubefall (%s-1) unstable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- %s  %s\n' "$version" \
            "$(sed -n 's/^maintainer = "\(.*\)"/\1/p' Cargo.toml)" "$(date -R -d "@$SOURCE_DATE_EPOCH")" >$dist/deb/changelog
        cargo deb --no-build --no-strip --locked --target "$target" --output $dist
    fi
done
# Not all kinds of files are there.
shopt -s nullglob
(cd $dist && sha256sum ./*.tar.gz ./*.zip ./*.deb | tee SHA256SUMS)
