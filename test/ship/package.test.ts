import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { signal } from "../../src/lab/process-tree.ts";
import { pathsIn, readRegistration } from "../../src/machine/home.ts";
import { isAlive } from "../../src/machine/process/process.ts";
import { eventually, TEST_MS, UNTIL_RECEIVED } from "../patience.ts";
import { UNTIL_STARTED } from "../e2e/program.ts";
import { done, makeNext, makePackage } from "./packed.ts";
import { createRegistry, type Registry } from "./registry.ts";

setDefaultTimeout(TEST_MS);
let dir: string;
let registry: Registry;
let [first, second]: string[] = [];
beforeAll(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "parley-ship-")));
  chmodSync(dir, 0o755);
  first = makePackage(dir);
  second = makeNext(dir, "0.1.99");
  registry = createRegistry(dir);
  registry.publish(first);
});
afterAll(async () => {
  await registry.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** Somebody with Node and npm and nothing else, in a place with spaces; not root, where this is. */
function somebody(name: string) {
  const home = join(dir, name, "a home");
  mkdirSync(home, { recursive: true });
  const isRoot = process.getuid?.() === 0;
  if (isRoot) for (const path of [join(dir, name), home]) chownSync(path, 65_534, 65_534);
  const paths = pathsIn(join(home, "state"));
  const prefix = join(home, "pre fix");
  const env = {
    PATH: [join(prefix, "bin"), "/usr/bin", "/bin", join(process.execPath, "..")].join(":"),
    HOME: home,
    PARLEY_HOME: paths.home,
    PARLEY_PORT: "0",
    npm_config_registry: registry.url,
    npm_config_prefix: prefix,
    npm_config_cache: join(home, "cache"),
    npm_config_update_notifier: "false",
    ...UNTIL_STARTED,
    ...UNTIL_RECEIVED,
  };
  const as = isRoot ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [];
  const spawn = (...command: string[]) =>
    Bun.spawn([...as, ...command], {
      cwd: home,
      env: { ...env, PATH: `${env.PATH}:${nodeFolder()}` },
      stdio: ["ignore", "pipe", "pipe"],
    });
  async function run(...command: string[]): Promise<string> {
    const child = spawn(...command);
    const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}:\n${out}${err}`);
    return out;
  }
  return {
    home,
    paths,
    prefix,
    run,
    spawn,
    /** The id of the one question. */
    waiting: async (parley: string) =>
      (JSON.parse(await run(parley, "ls", "--json")) as { asks: { id: string }[] }).asks[0]?.id ?? "",
    async [Symbol.asyncDispose]() {
      const daemon = readRegistration(paths)?.process;
      if (!daemon || !isAlive(daemon)) return;
      signal(daemon.pid, "SIGKILL");
      await eventually(() => expect(isAlive(daemon)).toBe(false));
    },
  };
}
const nodeFolder = () => join(realpathSync(Bun.which("node") ?? "node"), "..");

test("[SH1] installed for everybody without install scripts: asks, shows its page, and stays when the package is gone", async () => {
  await using person = somebody("plain");
  await person.run("npm", "i", "-g", "--ignore-scripts", "parley-inbox");
  expect(await person.run("parley", "--version")).toBe("parley 0.1.0\n");
  await person.run("parley", "up");
  const [url = "", code] = (await person.run("parley", "open", "--print")).trim().split("#");
  expect(code).toStartWith("code=");
  const page = await (await fetch(url)).text();
  const script = /src="([^"]+\.js)"/.exec(page)?.[1] ?? "";
  expect((await fetch(new URL(script, url))).status).toBe(200);
  expect((await fetch(new URL("/icon-192.png", url))).headers.get("content-type")).toBe("image/png");
  const asking = person.spawn("parley", "ask", "Which database?", "-o", "SQLite", "-o", "PostgreSQL");
  // What the package manager put there goes, as a cache does; what agents call goes on.
  await eventually(async () => expect(await person.run("parley", "ls")).toContain("Which database?"));
  rmSync(person.prefix, { recursive: true });
  const { program } = person.paths;
  expect(readFileSync(program, "utf8")).not.toContain(person.prefix);
  await person.run(program, "answer", await person.waiting(program), "2");
  expect((await asking.stdout.text()).trim()).toBe("PostgreSQL");
  await person.run(program, "down");
  await person.run(program, "up");
  expect(await person.run(program, "ls")).toContain("Nothing waits for you");
});

test("[SH2] from a cache of npx: no path of it reaches a hook or the launcher", async () => {
  await using person = somebody("npx");
  await person.run("npx", "--yes", "parley-inbox", "up");
  await person.run("npx", "--yes", "parley-inbox", "setup", "claude-code", "--yes");
  const written = [person.paths.program, join(person.home, ".claude/settings.json")].map((path) =>
    readFileSync(path, "utf8"),
  );
  for (const text of written) expect(text).not.toContain("_npx");
  expect(written[1]).toContain(person.paths.program);
  expect(await person.run(person.paths.program, "--version")).toBe("parley 0.1.0\n");
});

test("[SH3] an upgrade under a question that waits loses nothing", async () => {
  await using person = somebody("upgrade");
  await person.run("npm", "i", "-g", "--ignore-scripts", "parley-inbox@0.1.0");
  await person.run("parley", "up");
  const asking = person.spawn("parley", "ask", "Go on?", "-o", "Yes", "-o", "No");
  await eventually(async () => expect(await person.run("parley", "ls")).toContain("Go on?"));
  registry.publish(second ?? "");
  // By the launcher, which runs a copy: that knows where it comes from.
  const how = JSON.parse(await person.run(person.paths.program, "upgrade", "--print", "--json")) as { by: string };
  expect(how).toMatchObject({ by: "npm", steps: ["npm install -g parley-inbox@latest"] });
  await person.run("parley", "upgrade", "--yes");
  expect(await person.run("parley", "--version")).toBe("parley 0.1.99\n");
  expect(await person.run(person.paths.program, "--version")).toBe("parley 0.1.99\n");
  await eventually(async () => person.run("parley", "answer", await person.waiting("parley"), "1"));
  expect((await asking.stdout.text()).trim()).toBe("Yes");
});

test("[SH4] what the package holds: the program and the library, no test, no source, within its budget", () => {
  const names = done(["tar", "-tzf", first ?? ""], dir)
    .trim()
    .split("\n");
  expect(statSync(first ?? "").size).toBeLessThan(1_500_000);
  expect(names.filter((name) => /\.test\.|\.tsx?$/.test(name) && !name.endsWith(".d.ts"))).toEqual([]);
  for (const name of [
    "bin/parley",
    "dist/program/main.js",
    "dist/library/tool/library.js",
    "dist/library/tool/library.d.ts",
  ])
    expect(names).toContain(`package/${name}`);
});

const [types = "", lint = ""] = ["attw", "publint"].map((name) => join(import.meta.dir, "node_modules/.bin", name));
const isMissing = !existsSync(types) && process.env["CI"] !== "true";
test.skipIf(isMissing)(
  `[SH5] what loads the library finds its types, in every mode that has exports${isMissing ? " (skipped: npm test installs what it needs)" : ""}`,
  () => {
    done([types, "--no-definitely-typed", "--profile", "esm-only", first ?? ""], dir);
    expect(done([lint, first ?? "", "--strict"], dir)).toContain("All good!");
  },
);
