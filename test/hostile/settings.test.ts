import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { planInstall } from "../../src/agents/claude-code/install.ts";
import { ParleyError } from "../../src/core/error.ts";
import { createProgram, type Program } from "../e2e/program.ts";
import { ALL, expectSafe, TEXTS } from "./corpus.ts";
import { mutated, PATIENCE_MS, runs } from "./fuzz.ts";

const plan = (text: string | undefined, remove = false) =>
  planInstall({ text, program: "/p/parley", hold: false, remove, file: "settings.json" });
const SETTINGS = [
  {},
  { model: "x", permissions: { allow: ["Bash(ls:*)"] }, env: { A: "b" } },
  { hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "mine" }] }], Stop: [] } },
  JSON.parse(plan("{}").after ?? "") as object,
];

test(
  "[HO25] settings bent in any way are refused in words, or changed so that removing gives back every byte",
  () => {
    const bytes = fc.constantFrom("", "\ufeff", "\r\n", "\t", ",", "//x\n", "/*", "\0", '"hooks":{},', ...TEXTS);
    const text = fc.oneof(
      fc
        .tuple(mutated(SETTINGS), fc.constantFrom(0, 2, "\t"))
        .map(([value, space]) => JSON.stringify(value, null, space) ?? ""),
      fc
        .tuple(fc.constantFrom(...SETTINGS), fc.nat(), bytes)
        .map(([value, at, put]) => splice(JSON.stringify(value, null, 2), at, put)),
    );
    fc.assert(
      fc.property(text, (before) => {
        try {
          const without = plan(before, true).after;
          const { after } = plan(without);
          expect(plan(after, true).after).toBe(without);
          expect(JSON.parse((after ?? "").replace(/^\ufeff/, ""))).toBeObject();
        } catch (error) {
          if (!(error instanceof ParleyError)) throw error;
          expect(error.code).toBe("settings");
        }
      }),
      runs(120),
    );
  },
  PATIENCE_MS,
);

const splice = (text: string, at: number, put: string) =>
  text.slice(0, at % text.length) + put + text.slice(at % text.length);

describe("parley setup", () => {
  let program: Program;
  let folder = "";
  let file = "";
  beforeEach(() => {
    program = createProgram();
    folder = join(program.user, ".claude");
    file = join(folder, "settings.json");
    mkdirSync(folder);
  });
  afterEach(() => program.dispose());
  const setup = (...args: string[]) => program.parley(["setup", "claude-code", "--yes", ...args]);

  test("[HO26] settings that are not JSON, not text, not a file, too deep or too large are refused and left alone", async () => {
    const odd: Record<string, string | Uint8Array> = {
      list: "[]",
      empty: "",
      comment: "{ // mine\n}",
      deep: `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
      "wrong hooks": `{"hooks":{"\u202e\u009b31m${"x".repeat(5000)}":1}}`,
      bytes: Buffer.from([0x7b, 0xff, 0x7d]),
      utf16: Buffer.from("\ufeff{}", "utf16le"),
    };
    for (const [name, content] of Object.entries(odd)) {
      writeFileSync(file, content);
      const { code, out, err } = await setup();
      expect([name, code, out, err.startsWith(`parley setup: ${file}`)]).toEqual([name, 1, "", true]);
      expectSafe(err, name);
      expect(err.length).toBeLessThan(600);
      expect([name, readFileSync(file).equals(Buffer.from(content as string)), readdirSync(folder)]).toEqual([
        name,
        true,
        ["settings.json"],
      ]);
    }
    truncateSync(file, 5 * 1024 ** 3);
    const { code, err } = await setup();
    expect([code, err]).toEqual([1, `parley setup: ${file} has 5368709120 bytes; at most 16777216 are read.\n`]);
  });

  test("[HO27] hostile words in the settings steer nothing when the change is shown", async () => {
    writeFileSync(
      file,
      JSON.stringify({ note: ALL, [`k ${ALL}`]: [ALL], env: { "\u202e\u009b31m": "\u2066" } }, null, 2),
    );
    for (const args of [["--print"], ["--print", "--json"], []]) {
      const { code, out, err } = await program.parley(["setup", "claude-code", ...args]);
      expectSafe(out + err, args.join(" "));
      if (args.includes("--json")) expect([code, JSON.parse(out)]).toMatchObject([0, { changed: true }]);
    }
  });

  test("[HO28] settings that are a link, also to nothing, are written through it and the link stays", async () => {
    const dotfiles = join(program.root, "dotfiles");
    for (const [name, content] of [
      ["there.json", '{ "model": "x" }\n'],
      ["not-there.json", undefined],
    ] as const) {
      const real = join(dotfiles, name);
      mkdirSync(dotfiles, { recursive: true });
      if (content !== undefined) writeFileSync(real, content);
      const link = join(folder, "settings.json");
      Bun.spawnSync(["rm", "-f", link]);
      symlinkSync(real, link);
      expect((await setup()).code).toBe(0);
      expect([lstatSync(link).isSymbolicLink(), readFileSync(real, "utf8").includes("parley")]).toEqual([true, true]);
      expect((await setup("--remove")).code).toBe(0);
      expect(content === undefined || readFileSync(real, "utf8") === content).toBe(true);
    }
    expect(readdirSync(dotfiles)).toEqual(["there.json"]);
  });

  test("[HO29] settings nobody may write, or in a circle, are a clear refusal", async () => {
    symlinkSync(file, file);
    expect(await setup()).toMatchObject({ code: 1, out: "", err: expect.stringContaining("ELOOP") });
    Bun.spawnSync(["rm", file]);
    writeFileSync(file, "{}\n");
    chmodSync(folder, 0o500);
    // Root writes everywhere; everybody else is told.
    const { code, err } = await setup();
    chmodSync(folder, 0o700);
    if (process.getuid?.() === 0) expect(code).toBe(0);
    else expect([code, err.includes("EACCES"), readFileSync(file, "utf8")]).toEqual([1, true, "{}\n"]);
  });
});
