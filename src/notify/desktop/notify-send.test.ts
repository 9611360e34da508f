import { expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askOf } from "../../../test/sample.ts";
import { noteOf } from "../note.ts";
import { createNotifySend } from "./notify-send.ts";

/** Knows buttons and writes down what it was told; while `busy` is there it cannot even say what it knows. */
const PROGRAM = (folder: string) => `#!/bin/sh
[ "$1" = --help ] && [ -e "${folder}/busy" ] && exit 1
[ "$1" = --help ] && echo "--action --print-id" && exit 0
echo "$*" > "${folder}/told"
echo 7
`;

test("[N17] a notify-send that failed to say what it knows is asked again: the next notification has its buttons", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-notify-send-"));
  try {
    writeFileSync(join(folder, "notify-send"), PROGRAM(folder));
    chmodSync(join(folder, "notify-send"), 0o755);
    writeFileSync(join(folder, "busy"), "");
    const env = { PATH: `${folder}:${process.env["PATH"]}` };
    const { show } = createNotifySend({ env, pressed: () => undefined, clicked: () => undefined });
    const note = noteOf(askOf(), "Claude Code", { buttonsForApprovals: false });
    const shown = async () => {
      await show(note, { click: "nothing", sound: "" }, new AbortController().signal);
      return readFileSync(join(folder, "told"), "utf8");
    };
    expect(await shown()).not.toContain("--action");
    rmSync(join(folder, "busy"));
    expect(await shown()).toContain("--action=1=");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
