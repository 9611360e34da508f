import { expect, test } from "bun:test";
import type { ToolCall } from "../ask/tool-call.ts";
import { readMustAsk } from "./must-ask.ts";

const place = { cwd: "/shop/src", top: "/shop", real: (path: string) => (path.includes("nowhere") ? undefined : path) };
function asks(pattern: string, call: ToolCall): boolean {
  const read = readMustAsk(pattern);
  if ("refused" in read) throw new Error(read.refused);
  return read.pattern(call, place);
}
const runs = (pattern: string, command: string) => asks(pattern, { type: "command", command });

test("[GR23] a must-ask pattern finds its command wherever it stands, and asks where that cannot be told", () => {
  for (const command of [
    "git push",
    "git push origin main",
    "git -C shop push",
    "cd x && git push -f",
    "echo $(git push)",
    "git push | cat",
    "sudo git push",
    "/usr/bin/git push",
    "bash -c 'git push'",
    "eval 'cd x; git push'",
    "env A=1 git push",
    "xargs git push",
    "git $X",
    "$X push",
    "if true; then git push; fi",
    "git push '",
    "timeout 5 git push",
    "f() { git push; }",
    "A=1 git push &",
    "cat <(git push)",
    "find . -exec git push ;",
    'git "pu"sh',
    "echo git push | bash",
    "bash <<< 'git push'",
    "bash -s < x",
    "env -S'git push'",
    "flock l -c 'git push'",
    "flock x git push",
    "git -c alias.p=push p",
  ])
    // prettier-ignore
    expect([command, runs("git push ...", command)]).toEqual([command, true]);
  for (const command of [
    "git status",
    "echo 'git push'",
    "git commit -m 'push it'",
    "cd git && ls",
    "npm test",
    "bash build.sh",
    "timeout 5 npm test",
  ])
    expect([command, runs("git push ...", command)]).toEqual([command, false]);
  for (const command of ["rm -rf x", "rm -fr x", "rm -r -f x", "rm -rvf x", "rm x -rf"])
    expect([command, runs("rm -rf *", command)]).toEqual([command, true]);
  expect(runs("rm -rf *", "rm x")).toBe(false);
});

test("[GR24] must-ask reaches hidden files, a path that cannot be followed, and a host over any protocol", () => {
  const write = (path: string): ToolCall => ({ type: "write", path });
  expect(asks("write .github/**", write("/shop/.github/workflows/ci.yml"))).toBe(true);
  expect(asks("write **/.env*", write("/shop/a/.env.local"))).toBe(true);
  expect(asks("write .github/**", write("nowhere/x"))).toBe(true);
  expect(asks("write .github/**", write("/shop/src/a.ts"))).toBe(false);
  expect(asks("read .env", write("/shop/.env"))).toBe(false);
  expect(asks("fetch example.com", { type: "fetch", url: "http://a@example.com/x" })).toBe(true);
  expect(asks("fetch Example.com", { type: "fetch", url: "https://example.com.:8443/x" })).toBe(true);
  expect(asks("fetch example.com", { type: "fetch", url: "https://example.org" })).toBe(false);
});
