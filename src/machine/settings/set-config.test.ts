import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setConfig } from "./set-config.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-set-"));
  file = join(folder, "parley/config.toml");
});
afterEach(() => rmSync(folder, { recursive: true }));
const text = () => readFileSync(file, "utf8");
async function from(before: string, key: string, word: string): Promise<string> {
  file = join(folder, "config.toml");
  writeFileSync(file, before);
  await setConfig(file, key, word);
  return text();
}

test("[FM12] the file and its table are made where they are missing, and grow", async () => {
  expect(await setConfig(file, "log.level", "debug")).toBe("log.level");
  expect(text()).toBe('[log]\nlevel = "debug"\n');
  await setConfig(file, "port", "5050");
  await setConfig(file, "notify.after_seconds", "3");
  await setConfig(file, "notify.enabled", "false");
  expect(text()).toBe('port = 5050\n[log]\nlevel = "debug"\n\n[notify]\nenabled = false\nafter_seconds = 3\n');
  await setConfig(file, 'autopilot.projects."my.app"', "suggest");
  expect(text()).toEndWith('\n\n[autopilot.projects]\n"my.app" = "suggest"\n');
});

test.each([
  [
    '# mine\n[log]\nlevel = "info" # quiet\n\n[web]\n',
    "log.level",
    "warn",
    '# mine\n[log]\nlevel = "warn" # quiet\n\n[web]\n',
  ],
  ['log.level = "info"\nport = 0\n', "log.level", "warn", 'log.level = "warn"\nport = 0\n'],
  [
    '[autopilot]\ndocuments = [\n  "A.md", # one\n  "B.md",\n]\nmode = "off"\n',
    "autopilot.documents",
    '["C.md"]',
    '[autopilot]\ndocuments = ["C.md"]\nmode = "off"\n',
  ],
  [
    '[[autopilot.rules]]\nname = "x"\nact = "never-auto"\n',
    "autopilot.mode",
    "on",
    '[[autopilot.rules]]\nname = "x"\nact = "never-auto"\n\n[autopilot]\nmode = "on"\n',
  ],
  ["\r\n[log]\r\nlevel = 'info'\r\n", "port", "5000", "port = 5000\n\r\n[log]\r\nlevel = 'info'\r\n"],
])("[FM13] of %j all but %s keeps its bytes", async (before, key, word, after) => {
  expect(await from(before, key, word)).toBe(after);
});

test.each([
  ["", "log.levle", "warn", "unknown key log.levle; did you mean log.level?"],
  ["", "log.level", "loud", 'log.level: expected debug, info, warn or error, not "loud"'],
  ["", "notify.after_seconds", "soon", 'notify.after_seconds: expected a whole number from 0 to 86400, not "soon"'],
  [
    "",
    "notify.webhook.url",
    "https://x.example/hook",
    "notify.webhook.secret: at least 16 characters are needed, so that the receiver can tell who sent it",
  ],
  ["", "autopilot.projects.shop", "maybe", 'autopilot.projects.shop: expected off, suggest or on, not "maybe"'],
  ["", "", "x", '"" is no key. See: parley config'],
  ["log = [", "log.level", "warn", "is not TOML: correct it first"],
  [
    'autopilot = { mode = "off" }\n',
    "autopilot.mode",
    "on",
    "autopilot.mode stands where it cannot be changed from here; edit it",
  ],
])("[FM14] what would be a mistake is refused in the same words: %j %s %s", async (before, key, word, message) => {
  const failed = await from(before, key, word).catch((error: Error) => error.message);
  expect(failed).toEndWith(message);
  expect(text()).toBe(before);
});

test("[FM15] a mistake that was there before stands in nobody's way", async () => {
  expect(await from("[log]\nlevle = 1\n", "port", "5000")).toBe("port = 5000\n[log]\nlevle = 1\n");
});
