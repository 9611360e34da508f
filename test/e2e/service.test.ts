import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { plistOf } from "../../src/machine/service/launchd.ts";
import { unitOf } from "../../src/machine/service/systemd.ts";
import { isAlive } from "../../src/machine/process/process.ts";
import { createProgram, holds, type Program } from "./program.ts";

const ANALYZE = Bun.which("systemd-analyze");
const isMissing = ANALYZE === null && process.env["CI"] !== "true";

test.skipIf(isMissing)(
  `[SV1] systemd takes the unit, whatever stands in the path of the program${isMissing ? " (skipped: no systemd-analyze)" : ""}`,
  async () => {
    await using program = stage();
    const odd = join(program.root, `it's a "home" $HOME %h \\ ü`, "parley");
    mkdirSync(dirname(odd), { recursive: true });
    writeFileSync(odd, "#!/bin/sh\n", { mode: 0o755 });
    const unit = join(program.root, "parley.service");
    writeFileSync(unit, unitOf(odd, { PATH: "/usr/bin:/a b", LANG: 'C"%' }));
    const { exitCode, stderr } = Bun.spawnSync([ANALYZE ?? "", "--user", "verify", unit], {
      env: { HOME: program.user, PATH: process.env["PATH"] ?? "", XDG_RUNTIME_DIR: program.root },
    });
    expect([exitCode, stderr.toString()]).toEqual([0, ""]);
    // And it reads it as it was meant, whatever a shell or a specifier would make of it.
    const line = readFileSync(unit, "utf8")
      .split("\n")
      .find((each) => each.startsWith("ExecStart="));
    expect(line).toBe(
      `ExecStart=/bin/sh "${odd.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%").replaceAll("$", "$$$$")}" serve`,
    );
  },
);

test("[SV2] it is shown, written, started in place of the daemon that runs, told of, and taken out again", async () => {
  await using program = stage();
  const { env, called, unit } = program.systemctl("exit 0");
  await program.start();
  const before = program.registration().process;
  const printed = await program.parley(["service", "install", "--print"], { env });
  expect(printed.out).toContain(`+ExecStart=/bin/sh "${program.paths.program}" serve`);
  expect(existsSync(unit)).toBe(false);
  expect((await program.parley(["service", "install"], { env })).code).toBe(2);
  const done = await program.parley(["service", "install", "--yes", "--json"], { env });
  expect(JSON.parse(done.out)).toMatchObject({ manager: "systemd", path: unit, installed: true });
  expect(called()).toEqual(["--user daemon-reload", "--user enable --now parley.service"]);
  // Systemd would start it now; here nobody does, and the one from before is gone.
  expect(await holds(() => !isAlive(before))).toBe(true);
  const told = await program.parley(["service", "--json"], { env });
  expect(JSON.parse(told.out)).toMatchObject({ installed: true, active: true, running: false });
  await program.start();
  const up = await program.parley(["up"], { env });
  expect(up.out).toContain("It starts when you log in.");
  expect(up.out).not.toContain("After a reboot");
  expect((await program.parley(["service", "remove", "--yes"], { env })).out).toContain(`✓ Removed: ${unit}`);
  expect(existsSync(unit)).toBe(false);
  expect(called().at(-2)).toBe("--user disable --now parley.service");
});

test("[SV3] where it cannot be started nothing is left of it, and the daemon goes on", async () => {
  await using program = stage();
  const { env, unit } = program.systemctl('case "$*" in *enable*) echo "no bus" >&2; exit 1;; esac');
  await program.start();
  const failed = await program.parley(["service", "install", "--yes"], { env });
  expect([failed.code, failed.err]).toEqual([1, expect.stringContaining("no bus. Nothing was installed") as never]);
  expect(existsSync(unit)).toBe(false);
  expect((await program.parley(["ls"], { env })).out).toContain("Nothing waits for you");
  mkdirSync(dirname(unit), { recursive: true });
  writeFileSync(unit, "[Service]\nExecStart=/of/somebody/else serve\n");
  expect((await program.parley(["service", "install", "--yes"], { env })).err).toContain("is not of this Parley");
  expect((await program.parley(["service", "remove", "--yes"], { env })).out).toContain("Nothing to remove");
  expect(readFileSync(unit, "utf8")).toContain("/of/somebody/else");
});

test("[SV4] what launchd reads is escaped, and starts again only what crashed", () => {
  const text = plistOf({ label: "parley-inbox", program: "/a & b/<parley>", log: "/l", keep: { PATH: "/x&y" } });
  expect(text).toContain("<string>/a &amp; b/&lt;parley&gt;</string>");
  expect(text).toContain("<string>/x&amp;y</string>");
  expect(text).toMatch(/<key>SuccessfulExit<\/key>\s+<false\/>/);
});

/** With a systemctl that notes what it is told and ends as it is told. */
function stage() {
  const program: Program = createProgram();
  return {
    ...program,
    systemctl(does: string) {
      const [file, noted] = [join(program.root, "bin/systemctl"), join(program.root, "called")];
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `#!/bin/sh\necho "$@" >> '${noted}'\n${does}\n`);
      chmodSync(file, 0o755);
      return {
        env: { PATH: `${dirname(file)}:${process.env["PATH"] ?? ""}` },
        unit: join(program.user, ".config/systemd/user/parley.service"),
        called: () =>
          readFileSync(noted, "utf8")
            .trim()
            .split("\n")
            .filter((line) => !line.includes("is-active")),
      };
    },
    [Symbol.asyncDispose]: () => program.dispose(),
  };
}
