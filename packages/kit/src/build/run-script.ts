/** Asks nothing of its folder but what the build has put there. The name is that of a skill: no character of it means anything to a shell. */
const HEAD = `#!/usr/bin/env bash
# Written by \`skillyard-kit build\`. Runs the skill of this folder.
set -euo pipefail
SELF="$0"
while [ -h "$SELF" ]; do
  TARGET="$(readlink "$SELF")"
  case "$TARGET" in
    /*) SELF="$TARGET" ;;
    *) SELF="$(dirname -- "$SELF")/$TARGET" ;;
  esac
done
SKILL_DIR="$(CDPATH='' cd -- "$(dirname -- "$SELF")/.." && pwd -P)"
export SKILL_DIR
`;

/** `scripts/run` of a skill that Node runs. */
export function nodeRunScript(name: string): string {
  return `${HEAD}if ! command -v node >/dev/null 2>&1; then
  echo "error: Node.js >= 20 is needed, and there is no node on the PATH" >&2
  exit 1
fi
VERSION="$(node --version)"
MAJOR="\${VERSION#v}"
if [ "\${MAJOR%%.*}" -lt 20 ]; then
  echo "error: Node.js >= 20 is needed; this is $VERSION" >&2
  exit 1
fi
exec node "$SKILL_DIR/bin/${name}.mjs" "$@"
`;
}

/** `scripts/run` of a skill that is one executable a platform. */
export function bunRunScript(name: string): string {
  return `${HEAD}OS="$(uname -s | tr '[:upper:]' '[:lower:]')"
ARCH="$(uname -m)"
case "$ARCH" in
  x86_64) ARCH=x64 ;;
  aarch64 | arm64) ARCH=arm64 ;;
esac
BIN="$SKILL_DIR/bin/${name}-$OS-$ARCH"
if [ ! -x "$BIN" ]; then
  echo "error: this skill is not built for $OS-$ARCH; it has:" >&2
  ls -- "$SKILL_DIR/bin" >&2
  exit 1
fi
exec "$BIN" "$@"
`;
}
