// The door for people who have only Node and npm: installs what is missing, then hands over to Bun.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
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
  bench: (args) => run([bin("bun"), join(root, "bench/run.ts"), ...args], "inherit"),
  conformance: (args) => run([bin("bun"), join(root, "scripts/conformance.ts"), ...args], "inherit"),
  soak: (args) => run([bin("bun"), join(root, "scripts/soak.ts"), ...args], "inherit"),
  test,
};

const [task, ...args] = process.argv.slice(2);
if (!tasks[task]) fail(`usage: run.mjs ${Object.keys(tasks).join("|")}`);
install(root, "Parley's own packages");
process.exitCode = await tasks[task](args);

/** Contract: shows each result as it comes, and ends with the line `N passed, N failed[, N skipped]`, whatever happened. */
async function test(args) {
  install(join(root, "test/agents/versions"), "the agents the tests run (about 600 MB, once)");
  install(join(root, "test/hosts"), "the hosts the tests put the tool into (about 240 MB, once)");
  const command = ["test", "--parallel=4", "--timeout=60000", ...args];
  const runner = spawn(bin("bun"), command, { cwd: root, stdio: ["ignore", "inherit", "pipe"] });
  let end = "";
  runner.stderr.on("data", (chunk) => {
    process.stderr.write(chunk);
    end = (end + chunk).slice(-10_000);
  });
  const status = await new Promise((done) => runner.on("close", done));
  const count = (word) => Number(end.match(new RegExp(`^\\s*(\\d+) ${word}$`, "m"))?.[1] ?? 0);
  const [passed, failed, skipped] = [count("pass"), count("fail"), count("skip")];
  // A runner that died before counting is a failure, not zero failures.
  const lost = status !== 0 && failed === 0 ? 1 : 0;
  console.log(`${passed} passed, ${failed + lost} failed${skipped ? `, ${skipped} skipped` : ""}`);
  return passed === 0 ? 1 : (status ?? 1);
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
  }).status;
  if (status !== 0) fail(`npm ci failed in ${dir}`);
  writeFileSync(stamp, lock);
}

function run([command, ...rest], stdio) {
  return spawnSync(command, rest, { cwd: task === "start" ? process.cwd() : root, stdio }).status ?? 1;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
