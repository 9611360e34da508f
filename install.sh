#!/bin/sh
# Puts the one-file Parley of this system into ~/.local/bin (or PARLEY_BIN), after its checksum was checked.
#   sh install.sh <folder or address that has parley-<system> and SHA256SUMS>
set -eu
from=${1:-${PARLEY_FROM:-}}
bin=${PARLEY_BIN:-$HOME/.local/bin}
die() { echo "install.sh: $*" >&2; exit 1; }
[ -n "$from" ] || die "from where? sh install.sh <folder or address>"
case $(uname -s) in Linux) system=linux ;; Darwin) system=darwin ;; *) die "there is no program for $(uname -s)" ;; esac
case $(uname -m) in x86_64 | amd64) cpu=x64 ;; aarch64 | arm64) cpu=arm64 ;; *) die "there is no program for $(uname -m)" ;; esac
name=parley-$system-$cpu
mkdir -p "$bin"
# Beside its place, so that the last step is a rename: a Parley that runs meanwhile is not touched.
new=$(mktemp -d "$bin/.parley-new.XXXXXX")
trap 'rm -rf "$new"' EXIT
trap 'exit 130' INT TERM HUP
get() {
  case $from in
    https://* | http://127.0.0.1[:/]* | http://localhost[:/]*) curl -fsSL --proto-redir =https -o "$new/$1" "${from%/}/$1" ;;
    http://*) die "not over plain http: $from" ;;
    *) cp "$from/$1" "$new/$1" ;;
  esac || die "could not get $1 from $from"
}
get SHA256SUMS
get "$name"
# The whole name and nothing else: another line must not vouch for it.
wanted=$(awk -v name="$name" '$2 == name || $2 == "*" name { print $1; exit }' "$new/SHA256SUMS")
[ -n "$wanted" ] || die "SHA256SUMS does not name $name"
if command -v sha256sum >/dev/null; then found=$(sha256sum "$new/$name"); else found=$(shasum -a 256 "$new/$name"); fi
found=${found%% *}
[ "$found" = "$wanted" ] || die "$name is not what SHA256SUMS says: $found instead of $wanted. Nothing was installed."
chmod 755 "$new/$name"
version=$("$new/$name" --version) || die "$name does not run here. Nothing was installed."
mv -f "$new/$name" "$bin/parley"
echo "$version is in $bin/parley (sha256 $found)"
case :$PATH: in *":$bin:"*) ;; *) echo "Add $bin to your PATH, or call it by that path." ;; esac
echo "Next: parley up"
