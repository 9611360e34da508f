import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ParleyError } from "../../core/error.ts";
import type { AskView } from "../../protocol/view.ts";
import type { Terminal } from "./terminal.ts";

/** What an editor adds behind the last line is not the person's. */
export function inEditor({ text, what }: NonNullable<AskView["editable"]>, env: Terminal["env"]): string {
  const editor = env["VISUAL"] || env["EDITOR"];
  if (!editor) throw new ParleyError("usage", "Set EDITOR to the editor you want, or use --change");
  const folder = mkdtempSync(join(tmpdir(), "parley-edit-"));
  const file = join(folder, what === "command" ? "command.sh" : "content.txt");
  try {
    writeFileSync(file, text.endsWith("\n") ? text : `${text}\n`, { mode: 0o600 });
    const { status } = spawnSync("/bin/sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit", env });
    if (status !== 0) throw new ParleyError("usage", "The editor ended with an error, so nothing was sent");
    const now = readFileSync(file, "utf8");
    return text.endsWith("\n") ? now : now.replace(/\n$/, "");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
