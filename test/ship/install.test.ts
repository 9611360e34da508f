import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./packed.ts";

const NAME = `parley-${process.platform}-${process.arch}`;
const PROGRAM = "#!/bin/sh\necho parley 9.9.9\n";
let dir: string;
beforeAll(() => void (dir = mkdtempSync(join(tmpdir(), "parley-install-"))));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** What would be downloaded. It runs, and says a version: more of a program the script does not look at. */
function offered(name: string, text = PROGRAM, sums = `${sha(text)}  ${NAME}\n`): string {
  const folder = join(dir, `from ${name}`);
  mkdirSync(folder);
  writeFileSync(join(folder, NAME), text);
  writeFileSync(join(folder, "SHA256SUMS"), sums);
  return folder;
}
const sha = (text: string) => createHash("sha256").update(text).digest("hex");

async function install(from: string, home = mkdtempSync(join(dir, "a home "))) {
  const env = { HOME: home, PATH: process.env["PATH"] ?? "" };
  const child = Bun.spawn(["sh", join(root, "install.sh"), from], { cwd: dir, env, stdio: ["ignore", "pipe", "pipe"] });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, out, err, program: join(home, ".local/bin/parley"), bin: join(home, ".local/bin"), home };
}

test("[SH6] install.sh puts the program of this system there, from a folder or an address", async () => {
  const folder = offered("good");
  const { code, out, program, bin } = await install(folder);
  expect([code, readFileSync(program, "utf8")]).toEqual([0, PROGRAM]);
  expect(out).toContain(`parley 9.9.9 is in ${program} (sha256 ${sha(PROGRAM)})`);
  expect(readdirSync(bin)).toEqual(["parley"]);
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) => new Response(Bun.file(join(folder, new URL(url).pathname))),
  });
  const fetched = await install(`http://127.0.0.1:${server.port}/`);
  await server.stop(true);
  expect([fetched.code, existsSync(fetched.program)]).toEqual([0, true]);
});

test.each([
  ["another program", "#!/bin/sh\necho parley 6.6.6\n", `${sha(PROGRAM)}  ${NAME}\n`, "is not what SHA256SUMS says"],
  ["no sum", PROGRAM, `${sha(PROGRAM)}  ${NAME}-other\n`, `does not name ${NAME}`],
  [
    "a sum of another name",
    PROGRAM,
    `${sha("x")}  ${NAME}\n${sha(PROGRAM)}  x${NAME}\n`,
    "is not what SHA256SUMS says",
  ],
  ["one that does not run", "no program", undefined, "does not run here"],
])("[SH7] install.sh leaves what is there when it gets %s", async (name, text, sums, said) => {
  const home = mkdtempSync(join(dir, "old home "));
  mkdirSync(join(home, ".local/bin"), { recursive: true });
  writeFileSync(join(home, ".local/bin/parley"), "the old one");
  const { code, err, program, bin } = await install(offered(name, text, sums), home);
  expect([code, readFileSync(program, "utf8"), readdirSync(bin)]).toEqual([1, "the old one", ["parley"]]);
  expect(err).toContain(said);
});

test("[SH8] install.sh takes nothing over plain http from elsewhere", async () => {
  const { code, err } = await install("http://example.invalid/x");
  expect([code, err]).toEqual([1, expect.stringContaining("not over plain http") as never]);
  expect((await install("http://127.0.0.1.example.invalid/x")).err).toContain("not over plain http");
});
