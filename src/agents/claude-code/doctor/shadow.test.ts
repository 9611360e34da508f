import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readSettings } from "./settings.ts";
import { checkShadow } from "./shadow.ts";

// The managed folder belongs to the machine, so here it is given by hand.
let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-managed-"));
});
afterEach(() => rm(folder, { recursive: true }));

const put = async (path: string, text: string) => {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
};
const found = async () => {
  const { files, findings } = await readSettings({ env: { HOME: folder }, cwd: folder, managedDir: folder });
  return [...findings, ...checkShadow(files, {})].map(({ level, message, fix }) =>
    `${level}: ${message} → ${fix}`.replaceAll(folder, "ETC"),
  );
};
const ADMIN = "ask whoever administers this machine to allow Parley's hooks";

test.each([
  ['{"disableAllHooks": true}', "sets disableAllHooks: no hook runs"],
  ['{"allowManagedHooksOnly": true}', "sets allowManagedHooksOnly: your own hooks do not run"],
  [
    '{"strictPluginOnlyCustomization": ["skills", "hooks"]}',
    "sets strictPluginOnlyCustomization: your own hooks do not run",
  ],
  ['{"strictPluginOnlyCustomization": true}', "sets strictPluginOnlyCustomization: your own hooks do not run"],
])("[DR9] managed settings with %s are a problem that only an administrator can mend", async (text, words) => {
  await put("managed-settings.json", text);
  expect(await found()).toEqual([`problem: ETC/managed-settings.json ${words} → ${ADMIN}`]);
  await rm(join(folder, "managed-settings.json"));
  await put("managed-settings.d/10-hooks.json", text);
  expect(await found()).toEqual([`problem: ETC/managed-settings.d/10-hooks.json ${words} → ${ADMIN}`]);
});

test("[DR9] managed settings beat everybody else's", async () => {
  await put(".claude/settings.json", '{"disableAllHooks": true}');
  await put("managed-settings.json", '{"disableAllHooks": false, "strictPluginOnlyCustomization": ["skills"]}');
  expect(await found()).toEqual(["ok: nothing keeps the hooks from running → undefined"]);
});

test("[DR10] managed settings that cannot be read are told", async () => {
  await put("managed-settings.json", "nonsense");
  expect((await found())[0]).toBe(
    "problem: ETC/managed-settings.json is not valid JSON: Claude Code ignores all of it → fix ETC/managed-settings.json",
  );
});
