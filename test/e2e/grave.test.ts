import { expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Config } from "../../src/core/config/config.ts";
import { createDesktop } from "../../src/notify/desktop/desktop.ts";
import { noteOf } from "../../src/notify/note.ts";
import { askOf, database, question } from "../sample.ts";
import { createReceiver, createStage } from "./notify-stage.ts";

const erase = question("Delete the production database?", ["Yes", "No"]);
const BASE = "https://me.example.net";

test("[RE13] what is at stake is no single press on ntfy: its buttons open the page that asks once more", async () => {
  await using receiver = createReceiver();
  await using stage = createStage();
  stage.config(
    `[notify]\nafter_seconds = 0\nburst = 0\nbuttons_for_approvals = true\nlink_base = "${BASE}"\nlink_port = 0\n[notify.ntfy]\nurl = "${receiver.url}/topic"\n`,
  );
  await stage.ask();
  await stage.ask({ questions: [erase] });
  await stage.ask({
    kind: "approval",
    questions: [{ ...question("Run it?", ["Approve", "Deny"]), body: "rm -rf build" }],
  });
  await stage.ask({ kind: "approval", questions: [{ ...question("Run it?", ["Approve", "Deny"]), body: "npm test" }] });
  const sent = (await receiver.first(4)).map(({ json }) => json as { message: string; actions: { action: string }[] });
  const actions = Object.fromEntries(
    sent.map(({ message, actions: given }) => [
      message.split("\n").slice(0, 2).join(" "),
      given.map(({ action }) => action),
    ]),
  );
  expect(actions).toEqual({
    "Which database? 1. SQLite": ["http", "http"],
    "Delete the production database? 1. Yes": ["view", "view"],
    "Run it? rm -rf build": ["view", "view"],
    // Whoever wants buttons for approvals wants them for the leave itself.
    "Run it? npm test": ["http", "http"],
  });
});

test("[RE14] on the desktop it has no buttons", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-grave-"));
  const program = join(folder, "notify-send");
  writeFileSync(
    program,
    `#!/bin/sh\n[ "$1" = --help ] && { echo "--action --print-id"; exit 0; }\necho "CALLED $@" >> "${folder}/shown"\necho 7\n`,
  );
  chmodSync(program, 0o755);
  const env = {
    PATH: `${folder}:${process.env["PATH"]}`,
    DISPLAY: ":9",
    DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere",
  };
  const desktop = createDesktop({ env, platform: "linux", pressed: () => undefined, clicked: () => undefined });
  const { notify } = Config.parse({});
  try {
    for (const questions of [[database], [erase]]) {
      const note = noteOf(askOf({ questions }), "Claude Code", { buttonsForApprovals: true });
      await desktop.send(note, [], notify, new AbortController().signal);
    }
    const shown = readFileSync(join(folder, "shown"), "utf8").split("CALLED ").slice(1);
    expect(shown.map((words) => /--action=(?!default)/.test(words))).toEqual([true, false]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
