import { expect, test } from "bun:test";
import type { ToolCall } from "../ask/tool-call.ts";
import type { GrantPattern } from "./grant.ts";
import { exactPatternFor, type Place, readGrant } from "./match.ts";
import { shellWords } from "./shell-words.ts";

const FOLDER = "/home/you/shop";
/** A machine without links, but for one. */
const real = (path: string): string | undefined => {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") parts.pop();
    else if (part === "elsewhere") parts.splice(0, parts.length, "etc");
    else parts.push(part);
  }
  return `/${parts.join("/")}`;
};
const here: Place = { cwd: FOLDER, real };
const command = (text: string): ToolCall => ({ type: "command", command: text });

function fits(pattern: GrantPattern, call: ToolCall, place = here): boolean | string {
  const read = readGrant({ pattern, folder: FOLDER });
  return "refused" in read ? read.refused : read.pattern(call, place);
}
const runs = (text: string, given: string, place?: Place) => fits({ type: "command", text }, command(given), place);

test("[GR1] a command fits a grant word for word, however it is quoted and spaced", () => {
  for (const given of [
    "npm test",
    "npm  test",
    " npm\ttest\n",
    "npm 'test'",
    'npm "te"st',
    "n\\pm test",
    "npm test 2>&1",
    "npm test >/dev/null",
  ])
    expect([given, runs("npm test", given)]).toEqual([given, true]);
  for (const given of ["npm", "npm test x", "npm tes", "npm testx", "npm Test", "npm test ''", "npm 'test '"])
    expect([given, runs("npm test", given)]).toEqual([given, false]);
});

test("[GR2] what a shell would not run as these very words never fits", () => {
  const undecided = [
    "npm test; rm x", "npm test && rm x", "npm test || rm x", "npm test | tee x", "npm test & ", "npm test\nrm x", "(npm test)",
    "{ npm test; }", "npm test $(rm x)", "npm test `rm x`", "npm $X", "npm ${X}", "npm te*t", "npm te?t", "npm [t]est", "npm {test,x}",
    "npm test > x", "npm test >> x", "npm test 2> x", "npm test < x", "npm test <<< x", "npm test <<E\nx\nE", "npm test >&x",
    "npm test >/dev/null/../x", "npm test >&1 >/dev/null", "npm test > '/dev/null'x", "X=1 npm test", "PATH=. npm test", "! npm test", "time npm test",
    "npm test # x", "npm \\\ntest", "npm $'test'", 'npm $"test"', "npm <(x)", "npm test;", "npm test '", 'npm "test', "npm test \\",
    "if npm test; then x; fi", "npm() { rm x; }", "coproc npm test", "[[ npm ]]", "((1))", "npm te\u0000st", "npm te\u200bst", "npm test\r",
    "npm ~", "npm =test", "", "   ", "#npm test",
  ]; // prettier-ignore
  for (const given of undecided) expect([given, runs("npm test", given)]).toEqual([given, false]);
});

test("[GR3] sudo, eval and whatever else runs something else can be neither granted nor matched", () => {
  for (const program of [
    "sudo",
    "doas",
    "eval",
    "exec",
    "env",
    "xargs",
    "command",
    "builtin",
    "source",
    ".",
    "nohup",
    "time",
    "/usr/bin/sudo",
  ])
    expect([program, typeof runs(`${program} ls`, `${program} ls`)]).toEqual([program, "string"]);
  expect(runs("bash -c *", "bash -c ls")).toBe("“bash” with options runs something else");
  expect(runs("bash build.sh", "bash build.sh")).toBe(true);
  expect(runs("* test", "npm test")).toBe("the program itself must be named");
  for (const text of ["npm test; ls", "npm $X", "npm > x", "X=1 npm", "npm test #"])
    expect(typeof runs(text, text)).toBe("string");
});

test("[GR4] a star is one argument, dots are any number; neither is an option or a path out of the folder", () => {
  for (const given of ["npm run build", "npm run src/x", "npm run ./x"])
    expect([given, runs("npm run *", given)]).toEqual([given, true]);
  for (const given of [
    "npm run",
    "npm run a b",
    "npm run --all",
    "npm run ..",
    "npm run ../x",
    "npm run /etc",
    "npm run ''",
    "npm run a=/etc",
    "npm run f:///etc",
    "npm run '~/x'",
    "npm run elsewhere",
    "npm run a,elsewhere",
    "npm run ..=x",
    "npm run test:unit",
    "npm run 'a b'",
    "npm run src/../x",
    "npm run /home/you/shop/x",
    "npm run .env",
    "npm run .",
    "npm run src/.git",
    "npm run +x",
    "npm run :main",
    "npm run x@latest",
    "npm run '1e rm'",
    "npm run '$(id)'",
    "npm run ....",
  ])
    expect([given, runs("npm run *", given)]).toEqual([given, false]);
  expect(runs("npm run test:*", "npm run test:unit")).toBe(true);
  expect(runs("npm run test:*", "npm run test:u:x")).toBe(false);
  expect(runs("ls ...", "ls")).toBe(true);
  expect(runs("ls ...", "ls a b c")).toBe(true);
  expect(runs("ls ...", "ls a -l")).toBe(false);
  expect(runs("cat src/*.ts", "cat src/a.ts")).toBe(true);
  for (const given of ["cat src/a/b.ts", "cat src/../a.ts", "cat 'src/.'", "cat src/*.ts"])
    expect(runs("cat src/*.ts", given)).toBe(false);
  expect(runs("git log --grep=*", "git log --grep=fix")).toBe(true);
  expect(runs("git log --output=*", "git log --output=../x")).toBe(false);
  // Quoted, it is itself.
  expect(runs("echo '*'", "echo '*'")).toBe(true);
  expect(runs("echo '*'", "echo x")).toBe(false);
});

test("[GR5] in another folder the same words ask", () => {
  expect(runs("npm test", "npm test", { cwd: `${FOLDER}/packages/a`, real })).toBe(false);
  expect(runs("npm test", "npm test", { cwd: `${FOLDER}/packages/..`, real })).toBe(true);
  expect(runs("npm test", "npm test", { cwd: FOLDER, real: () => undefined })).toBe(false);
});

test("[GR6] files fit by where they really are; stars reach no hidden name", () => {
  const write = (text: string, path: string) => fits({ type: "write", text }, { type: "write", path });
  expect(write("src/**", `${FOLDER}/src/a/b.ts`)).toBe(true);
  expect(write("src/**", "src/a.ts")).toBe(true);
  expect(write("src/*.ts", `${FOLDER}/src/a.ts`)).toBe(true);
  expect(write("**/*.md", `${FOLDER}/docs/x/a.md`)).toBe(true);
  expect(write(".github/**", `${FOLDER}/.github/x`)).toBe(true);
  for (const path of [
    `${FOLDER}/src`,
    `${FOLDER}/src/../.git/config`,
    `${FOLDER}/src/.env`,
    `${FOLDER}/src/.x/a`,
    `${FOLDER}/src/elsewhere/passwd`,
    "/etc/passwd",
    `${FOLDER}x/src/a`,
  ])
    expect([path, write("src/**", path)]).toEqual([path, false]);
  expect(write("**", `${FOLDER}/.claude/settings.json`)).toBe(false);
  for (const text of ["/etc/*", "../x", "~/x", "a/../../b", "src/a**"]) expect(typeof write(text, "x")).toBe("string");
  expect(fits({ type: "read", text: "src/**" }, { type: "write", path: "src/a" })).toBe(false);
});

test("[GR7] a host fits over https alone, and is exactly that host", () => {
  const fetch = (url: string) => fits({ type: "fetch", text: "example.com" }, { type: "fetch", url });
  expect(fetch("https://example.com/a?b")).toBe(true);
  for (const url of [
    "http://example.com/",
    "https://example.com.evil.io/",
    "https://a@example.com/",
    "https://example.com:444/",
    "https://evil.io/?example.com",
    "example.com",
  ])
    expect([url, fetch(url)]).toEqual([url, false]);
  expect(typeof fits({ type: "fetch", text: "*" }, { type: "fetch", url: "https://a.b/" })).toBe("string");
});

test("[GR8] the pattern for a call matches that call and no other", () => {
  for (const given of [
    "npm test",
    "git commit -m 'it'\\''s * and ...'",
    'echo "a b" c\\ d',
    "ls ''",
    "rm '...'",
    "echo '*' x",
  ]) {
    const exact = exactPatternFor(command(given), FOLDER, here);
    if ("refused" in exact) throw new Error(`${given}: ${exact.refused}`);
    expect([given, fits(exact.pattern, command(given))]).toEqual([given, true]);
    expect(fits(exact.pattern, command(`${given} more`))).toBe(false);
  }
  expect(exactPatternFor(command("a | b"), FOLDER, here)).toEqual({ refused: "it is a pipeline" });
  expect(exactPatternFor(command("sudo ls"), FOLDER, here)).toEqual({ refused: "“sudo” runs something else" });
  expect(exactPatternFor({ type: "write", path: "/etc/x" }, FOLDER, here)).toEqual({
    refused: "the file lies outside of the folder",
  });
  expect(shellWords("x".repeat(9000))).toEqual({ undecided: "it is too long" });
});

test("[GR29] what may be a program, an option or another place is never left open", () => {
  for (const text of [
    "sed -n * *",
    "make *",
    "sqlite3 x.db *",
    "awk * *",
    "psql -c *",
    "vim *",
    "rm -rf *",
    "tar xf *",
  ])
    expect([text, typeof runs(text, text)]).toEqual([text, "string"]);
  for (const text of ["git fetch --*", "git grep -* TODO", "rsync -a* src dst", "make -C*", "git -C* status"])
    expect([text, typeof runs(text, text)]).toEqual([text, "string"]);
  expect(runs("git log --author=*", "git log --author=me")).toBe(true);
  expect(runs("git log --author=*", "git log --author=../x")).toBe(false);
  expect(runs("npm test", "npm test 01>&2")).toBe(false);
  expect(runs("npm test", "npm test 2>&1")).toBe(true);
  expect(runs("sed -n 1,5p README.md", "sed -n 1,5p README.md")).toBe(true);
});

test("[RH7] a version of a program, a shell and a name in capitals are what they are without", () => {
  for (const text of ["python3.12 *", "perl5.36 *", "node-22 ...", "bash *", "sh scripts/*", "zsh-5.9 *", "RM -r *", "Python3 *"])
    expect([text, typeof runs(text, text)]).toEqual([text, "string"]);
  for (const text of ["SUDO ls", "Env ls", "bash5.2 -c ls", "BASH -c ls"])
    expect([text, typeof runs(text, text)]).toEqual([text, "string"]);
  // Letters that nobody sees.
  for (const odd of ["\u3164", "\u115f", "\uffa0", "\u034f", "\ufe0f"])
    expect([odd, runs("npm test", `npm test${odd}`), typeof runs(`npm ${odd}`, "x")]).toEqual([odd, false, "string"]);
  expect(runs("python3.12 build.py", "python3.12 build.py")).toBe(true);
}); // prettier-ignore
