import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { ParleyError } from "../../core/error.ts";
import { planInstall, settingsPath } from "./install.ts";

const program = "/home/ada/.local/state/parley/bin/parley";
const request = { program, hold: false, remove: false, file: "settings.json" };
const install = (text: string | undefined, more: Partial<typeof request> = {}) =>
  planInstall({ ...request, ...more, text });
const remove = (text: string | undefined) => planInstall({ ...request, remove: true, text });
const command = (event: string, path = program) => `[ -x ${path} ] && exec ${path} hook claude-code ${event}; exit 0`;
const settings = (text: string | undefined): Settings => JSON.parse(text?.replace(/^\uFEFF/, "") ?? "");
const ours = (event: string, timeout: number, matcher?: string) => [
  { ...(matcher ? { matcher } : {}), hooks: [{ type: "command", command: command(event), timeout }] },
];
const theirs = (name: string) => ({ hooks: [{ type: "command", command: name }] });
type Group = { matcher?: string; hooks: { type: string; command: string; timeout?: number }[] };
type Settings = { hooks: Record<string, Group[]> };

/** After a call that may have been changed: it starts nothing while none is. */
const ran = (event: string): Group[] => {
  const guarded = command(`${event} --ran`).replace("] &&", `] && [ -e ${program}.changed ] &&`);
  return [{ matcher: "Bash|Write|Edit|NotebookEdit", hooks: [{ type: "command", command: guarded, timeout: 10 }] }];
};

/** It starts nothing while no session has anything to hear. */
const prompts = (): Group[] => {
  const guarded = command("UserPromptSubmit").replace("] &&", `] && [ -e ${program}.corrected ] &&`);
  return [{ hooks: [{ type: "command", command: guarded, timeout: 10 }] }];
};

describe("what is put in", () => {
  test("[S1] setup adds twelve hooks, each only for what Parley needs", () => {
    const asking = "AskUserQuestion|ExitPlanMode";
    expect(settings(install(undefined).after)).toEqual({
      hooks: {
        PreToolUse: ours("PreToolUse", 10, asking),
        PostToolUse: [...ours("PostToolUse", 10, asking), ...ran("PostToolUse")],
        PostToolUseFailure: ran("PostToolUseFailure"),
        PermissionRequest: ours("PermissionRequest --edits", 86_400),
        Elicitation: ours("Elicitation", 86_400),
        ElicitationResult: ours("ElicitationResult", 10),
        Stop: ours("Stop", 10),
        SessionStart: ours("SessionStart", 10),
        SessionEnd: ours("SessionEnd", 10),
        Notification: ours("Notification", 10),
        UserPromptSubmit: prompts(),
      },
    });
  });

  test("[S2] with hold the tool call itself waits for Parley, for up to a day", () => {
    const { hooks } = settings(install(undefined, { hold: true }).after);
    const held = { type: "command", command: command("PreToolUse --hold"), timeout: 86_400 };
    expect(hooks["PreToolUse"]?.[0]?.hooks).toEqual([held]);
    expect(hooks["PermissionRequest"]?.[0]?.hooks[0]?.command).toBe(command("PermissionRequest --edits"));
    expect(hooks["Elicitation"]?.[0]?.hooks[0]?.command).toBe(command("Elicitation --hold"));
  });

  test.each([
    ["/opt/parley/bin/parley", "/opt/parley/bin/parley"],
    ["/Users/Ada L/bin/parley", "'/Users/Ada L/bin/parley'"],
    ["/it's/$HOME/parley", `'/it'\\''s/$HOME/parley'`],
    ["/two\nlines/parley", "'/two\nlines/parley'"],
  ])("[S3] the path %j is quoted for the shell only when needed, and found again", (path, quoted) => {
    const plan = install("{}", { program: path });
    expect(settings(plan.after).hooks["Stop"]?.[0]?.hooks[0]?.command).toBe(command("Stop", quoted));
    expect(install(plan.after, { program: path }).changed).toBe(false);
    expect(remove(plan.after).after).toBe("{}");
  });
});

test("[S23] hooks from before they named their agent are up to date, and removed to the byte", () => {
  const text = '{\n  "model": "opus"\n}\n';
  const before = (install(text).after ?? "").replaceAll("hook claude-code ", "hook ");
  expect(before).toContain(`exec ${program} hook PermissionRequest --edits; exit 0`);
  expect(install(before)).toMatchObject({ before, after: before, changed: false });
  expect(install(before, { hold: true }).after).toBe(install(text, { hold: true }).after);
  expect(remove(before).after).toBe(text);
});

describe("what is left alone", () => {
  test("[S4] the change looks like the file: indentation, line ends, byte order mark", () => {
    const text = '\uFEFF{\r\n\t"model" : "opus"\r\n}';
    const after = install(text).after ?? "";
    expect(after).toStartWith('\uFEFF{\r\n\t"model" : "opus",\r\n\t"hooks": {\r\n\t\t"PreToolUse": [\r\n\t\t\t{\r\n');
    expect(after).toEndWith("\r\n\t\t]\r\n\t}\r\n}");
    expect(after.replaceAll("\r\n", "")).not.toContain("\n");
  });

  test("[S5] other people's hooks stay, in order and before Parley's", () => {
    const text = JSON.stringify({ hooks: { Stop: [theirs("one"), theirs("two")], PreCompact: [theirs("three")] } });
    const { hooks } = settings(install(text).after);
    expect(hooks["Stop"]?.map((group) => group.hooks[0]?.command)).toEqual(["one", "two", command("Stop")]);
    expect(hooks["PreCompact"]).toEqual([theirs("three")]);
  });

  test("[S5] a command that a person put into Parley's group stays when Parley's leaves", () => {
    const group = {
      hooks: [theirs("a").hooks[0], { type: "command", command: command("Stop") }, theirs("b").hooks[0]],
    };
    const after = settings(remove(JSON.stringify({ hooks: { Stop: [group] } })).after);
    expect(after.hooks["Stop"]).toEqual([{ hooks: [...theirs("a").hooks, ...theirs("b").hooks] }]);
  });

  test.each([
    "{}",
    "{ \r\n }\n",
    "\uFEFF {\n\n}\n\n",
    '{"a":1}',
    '{ "hooks" : { } , "z":[ 1,2 ] }',
    '{\n  "hooks": {\n  }\n}\n',
    '{"hooks":{"Stop":[],"PreToolUse":[ \n\n ]}}',
    '{"hooks":{"Stop":[]},"hooks":{"Stop":[]}}',
    '{\n    "hooks": {"Stop": [\n        {"hooks": [{"type": "command", "command": "x"}]} ]\n    },\n    "b": 2}',
  ])("[S6] remove undoes setup to the byte: %j", (text) => {
    expect(remove(install(text).after)).toMatchObject({ after: text, changed: true });
    expect(remove(text)).toMatchObject({ before: text, after: text, changed: false });
  });

  test("[S6] remove deletes a file that setup made and nobody else wrote into", () => {
    const made = install(undefined).after ?? "";
    expect(remove(made)).toMatchObject({ before: made, after: undefined, changed: true });
    expect(remove(undefined)).toMatchObject({ before: undefined, after: undefined, changed: false });
    expect(remove(made.replace("{", '{ "model": "opus",')).after).toBe('{ "model": "opus"\n}\n');
  });
});

describe("again", () => {
  test("[S7] a second setup changes nothing, also after another program has reformatted the file", () => {
    const once = install('{"model": "opus"}').after;
    expect(install(once)).toMatchObject({ before: once, after: once, changed: false });
    expect(install(JSON.stringify(settings(once))).changed).toBe(false);
  });

  test("[S8] older entries of Parley give way to the current ones, other people's keep their place", () => {
    const text = '{ "hooks": { "Stop": [ {"hooks": [{"type": "command", "command": "theirs"}]} ] } }';
    const old = install(text, { program: "/old path/parley", hold: true }).after ?? "";
    const older = old.replace("SessionEnd", "PreCompact").replace('"timeout": 10', '"timeout": 5');
    expect(install(older)).toMatchObject({ before: older, after: install(text).after, changed: true });
    expect(remove(older).after).toBe(text);
  });
});

describe("what is refused", () => {
  test.each([
    ["", "line 1, column 1: not valid JSON (value expected)"],
    ['{\n  "a": 1,\n}', "line 3, column 1: not valid JSON (property name expected)"],
    ["\uFEFF{ // why\n}", "line 1, column 3: not valid JSON (invalid comment token)"],
    ['{\r\n"a": 1\r\n"b": 2}', "line 3, column 1: not valid JSON (comma expected)"],
    ['{"a": 1', "line 1, column 8: not valid JSON (close brace expected)"],
    ["[]", "line 1, column 1: the top level must be an object"],
    ['{\n "hooks": null}', 'line 2, column 11: "hooks" must be an object'],
    ['{"hooks": {"Stop": {}}}', 'line 1, column 20: "hooks.Stop" must be an array'],
    ['{"hooks": {"Stop": ["x"]}}', "line 1, column 21: an entry of a hook event must be an object"],
    ['{"hooks": {"Stop": [{"type": "command"}]}}', 'line 1, column 21: "hooks" of an entry must be an array'],
  ])("[S9] %j is refused with file, line and column", (text, where) => {
    const message = `settings.json, ${where}. Nothing was changed; fix it and run this again.`;
    expect(() => install(text)).toThrow(new ParleyError("settings", message));
    expect(() => remove(text)).toThrow(message);
  });

  test("[S9] what is not JSON is refused, what is JSON is taken", () => {
    const noise = fc.tuple(
      fc.nat(40),
      fc.constantFrom("", ",", '"', "/", "0", ".", "-", "\u0001", "\\", "}", " ", "e"),
    );
    fc.assert(
      fc.property(fc.json(), noise, (json, [at, char]) => {
        const inner = json.slice(0, at) + char + json.slice(at + 1);
        const text = `{"x": ${inner}}`;
        expect(accepts(() => install(text))).toBe(accepts(() => void JSON.parse(text)));
      }),
      { numRuns: 1000 },
    );
  });
});

test("[S10] the person's own settings are found by CLAUDE_CONFIG_DIR, else HOME; a project's in its folder", () => {
  const at = { cwd: "/src/app" };
  expect(settingsPath({ ...at, env: { HOME: "/home/ada" } })).toBe("/home/ada/.claude/settings.json");
  const env = { HOME: "/home/ada", CLAUDE_CONFIG_DIR: "/etc/claude" };
  expect(settingsPath({ ...at, env })).toBe("/etc/claude/settings.json");
  expect(settingsPath({ ...at, env: { CLAUDE_CONFIG_DIR: "conf" } })).toBe("/src/app/conf/settings.json");
  expect(settingsPath({ ...at, env, project: "/src" })).toBe("/src/.claude/settings.json");
});

describe("for any settings in any formatting", () => {
  const handler = fc.record({ type: fc.constant("command"), command: fc.string() });
  const group = fc.record(
    { matcher: fc.string(), hooks: fc.array(handler, { maxLength: 3 }), more: fc.jsonValue() },
    { requiredKeys: ["hooks"] },
  );
  const event = fc.constantFrom("PreToolUse", "PostToolUse", "Stop", "Notification", "PreCompact", "a b");
  const hooks = fc.dictionary(event, fc.array(group, { maxLength: 3 }), { maxKeys: 4 });
  const others = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 });
  const value = fc
    .tuple(others, fc.option(hooks), fc.boolean())
    .map(([rest, own, first]) => (own === null ? rest : first ? { hooks: own, ...rest } : { ...rest, hooks: own }))
    .filter((it) => !("hooks" in it) || typeof it.hooks === "object");
  const space = fc.array(fc.constantFrom("", "", " ", "  ", "\t", "\n", "\r\n", "\n    "), {
    minLength: 1,
    maxLength: 30,
  });
  const formatted = fc.oneof(
    fc
      .tuple(value, fc.constantFrom("", " ", "  ", "    ", "\t"), fc.constantFrom("\n", "\r\n"))
      .map(([it, indent, eol]) => JSON.stringify(it, null, indent).replaceAll("\n", eol) + eol),
    fc.tuple(value, space, fc.constantFrom("", "\uFEFF")).map(([it, spaces, mark]) => mark + loosely(it, spaces)),
  );
  const paths = fc.constantFrom(program, "/some where/else's/parley");

  test("[S6] setup, then remove, is the same bytes; setup twice is setup once; the rest is untouched", () => {
    fc.assert(
      fc.property(formatted, fc.boolean(), paths, (text, hold, older) => {
        const once = install(text, { hold }).after;
        expect(install(once, { hold })).toMatchObject({ before: once, after: once, changed: false });
        expect(remove(once).after).toBe(text);
        expect(install(install(text, { program: older }).after, { hold }).after).toBe(once);
        expect(withoutOurs(settings(once))).toEqual(withoutOurs(settings(text)));
      }),
      { numRuns: 300 },
    );
  });
});

function accepts(run: () => void): boolean {
  try {
    run();
    return true;
  } catch {
    return false;
  }
}

/** Valid JSON with the given white space, in turn, between its tokens. */
function loosely(value: unknown, spaces: string[]): string {
  let turn = 0;
  const tokens = JSON.stringify(value).match(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^[\]{},:"]+/g) ?? [];
  return [...tokens, ""].map((token) => (spaces[turn++ % spaces.length] ?? "") + token).join("");
}

/** Without Parley's groups, and without the events that are empty then. */
function withoutOurs({ hooks, ...rest }: Partial<Settings>): object {
  const left = Object.entries(hooks ?? {}).map(([name, groups]) => [name, groups.filter(isForeign)] as const);
  return { ...rest, hooks: Object.fromEntries(left.filter(([, groups]) => groups.length > 0)) };
}

function isForeign(group: Group): boolean {
  return !group.hooks.some((each) => each.command.startsWith(`[ -x ${program} ]`));
}
