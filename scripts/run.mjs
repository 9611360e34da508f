// The door for people who have only Node and npm: installs what is missing, then hands over to Bun.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const bin = (name) => join(root, "node_modules", ".bin", name);
const safeBun = ["--no-env-file", "--config=/dev/null", "--tsconfig-override=/dev/null", "--no-install"];

const tasks = {
  start(args) {
    const program = [bin("bun"), ...safeBun, join(root, "src/main.ts")];
    return run([...program, "up", "--welcome", ...args], "inherit");
  },
  check() {
    const steps = [
      [bin("oxfmt"), "--check", "."],
      [bin("oxlint"), "--type-aware", "--deny-warnings"],
      [bin("tsc"), "--noEmit"],
      [bin("tsc"), "--noEmit", "-p", "src/surfaces/web/page"],
    ];
    // Every step runs, so that one round shows every complaint.
    return Math.max(...steps.map((step) => run(step, "inherit")));
  },
  fix() {
    return Math.max(run([bin("oxfmt"), "."], "inherit"), run([bin("oxlint"), "--type-aware", "--fix"], "inherit"));
  },
  build(args) {
    const library = run([bin("bun"), join(root, "scripts/build-library.ts")], "inherit");
    return Math.max(library, run([bin("bun"), join(root, "scripts/build.ts"), ...args], "inherit"));
  },
  /** What `npm pack` puts into the package. */
  package() {
    const made = ["build-library", "build-program"].map((name) =>
      run([bin("bun"), join(root, `scripts/${name}.ts`)], "to stderr"),
    );
    return Math.max(...made);
  },
  bench: (args) => run([bin("bun"), join(root, "bench/run.ts"), ...args], "inherit"),
  conformance: (args) => run([bin("bun"), join(root, "scripts/conformance.ts"), ...args], "inherit"),
  soak([campaign, ...args]) {
    if (campaign === "agents") {
      // What the proof runs saw becomes docs/proof; the table of them is `npm run conformance -- --table`.
      const [words, isWritten] = [args.filter((arg) => arg !== "--write"), args.includes("--write")];
      const which = words.length > 0 ? words : ["test/agents/", "test/hosts/claude-code", "test/e2e/brain-claude"];
      return test(which, { PARLEY_TEST_VERSIONS: "all", ...(isWritten && { PARLEY_PROOF: "write" }) });
    }
    if (campaign === "cases") {
      const tables = ["fault/kill-steps", "e2e/task-kills", "e2e/completion"].map((file) => `test/${file}.test.ts`);
      return test([...tables, ...args], { PARLEY_TEST_CASES: "all" });
    }
    if (campaign === "suite") return run([bin("bun"), join(root, "scripts/suite/repeat.ts"), ...args], "inherit");
    return run([bin("bun"), join(root, "scripts/soak.ts"), ...(campaign ? [campaign, ...args] : args)], "inherit");
  },
  test,
};

const [task, ...args] = process.argv.slice(2);
if (!tasks[task]) fail(`usage: run.mjs ${Object.keys(tasks).join("|")}`);
install(root, "Parley's own packages");
process.exitCode = tasks[task](args);

/** Contract: ends with the line `N passed, N failed[, N skipped]`. The quick tier downloads nothing beyond Parley's own packages. */
function test(args, env = {}) {
  if (!args.includes("--quick")) {
    for (const agents of installedApart())
      install(join(root, "test/agents", agents), `the agents the tests run, ${agents} (once)`);
    install(join(root, "test/hosts"), "the hosts the tests put the tool into (about 240 MB, once)");
    install(join(root, "test/ship"), "what looks at the package as others install it (about 40 MB, once)");
  }
  return run([bin("bun"), join(root, "scripts/suite/suite.ts"), ...args], "inherit", env);
}

/** Each a package of its own: what one agent needs is not in the way of another. */
function installedApart() {
  return readdirSync(join(root, "test/agents")).filter((name) => name.startsWith("versions"));
}

/** Runs `npm ci` when the lockfile differs from the one last installed. */
function install(dir, what) {
  const lock = createHash("sha256")
    .update(readFileSync(join(dir, "package-lock.json")))
    .digest("hex");
  const stamp = join(dir, "node_modules", ".parley-lock");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  console.error(`Installing ${what} …`);
  const status = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: dir,
    stdio: ["ignore", 2, 2],
    env: { ...process.env, PARLEY_NO_LIBRARY: "1" },
  }).status;
  if (status !== 0) fail(`npm ci failed in ${dir}`);
  writeFileSync(stamp, lock);
}

function run([command, ...rest], how, env = {}) {
  // What npm packs is told by npm alone.
  const stdio = how === "to stderr" ? ["ignore", 2, 2] : how;
  const cwd = task === "start" ? process.cwd() : root;
  return spawnSync(command, rest, { cwd, stdio, env: { ...process.env, ...env } }).status ?? 1;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
