import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { parse } from "smol-toml";
import { AutopilotConfig } from "./autopilot.ts";
import { Config, LEAVES } from "./config.ts";
import { checkConfig } from "./check.ts";
import { combine } from "./effective.ts";

const source = () => ({ from: "default" as const });
const check = (text: string) => checkConfig(parse(text), "user");
const inForce = (text: string) => combine([{ settings: check(text).settings, source }]).values;
const messages = (text: string) => check(text).complaints.map(({ message }) => message);

test("[MX36] a wrong key, table or element is out of force; what stands beside it holds", () => {
  const text = `port = 80
    [notify]
    after_seconds = 3
    quiet = "soon"
    enabeld = true
    [retention]
    days = 7
    [log]
    level = "loud"
    [hold]
    subagent_seconds = 5
    [keys]
    all_sesions = true
    [wbe]
    token = "x"`;
  expect(messages(text)).toHaveLength(6);
  const values = inForce(text);
  expect([values.port, values.notify.quiet, values.log.level]).toEqual([4747, "", "info"]);
  expect([values.notify.after_seconds, values.retention.days, values.hold.subagent_seconds]).toEqual([3, 7, 5]);
});

test("[MX36] rules under a name that is none hold everything that they may have held", () => {
  const held = `name = "never"\nmatch = { header = "Deploy" }\nact = "never-auto"`;
  for (const table of ["autopilot.rule", "rules"])
    for (const more of ["", `[[autopilot.rules]]\nname = "more"\nmatch = {}\nchoose = "recommended"\n`]) {
      const { rules } = inForce(`autopilot.mode = "on"\n[[${table}]]\n${held}\n${more}`).autopilot;
      expect([table, rules[0]?.act, rules[0]?.match]).toEqual([table, "never-auto", {}]);
    }
});

test("[MX36] a secret of before does not go to a new place beside a misspelt one", () => {
  const { notify } = inForce(`notify.ntfy = { url = "https://new.example/t", tokn = "abc" }`);
  expect(notify.ntfy.url).toBe("");
});

test("[MX36] what is one thing goes as one thing: an address without its secret, a door without its token", () => {
  const { notify, web } = inForce(
    `notify.webhook = { url = "https://hook.example/x", secret = "short" }
     notify.ntfy = { url = "https://ntfy.example/t", token = "two words" }
     web = { bind = "0.0.0.0", token = "short", address = "https://me.example" }`,
  );
  expect([notify.webhook.url, notify.ntfy.url]).toEqual(["", ""]);
  expect(web).toEqual({ bind: "127.0.0.1", token: "", address: "https://me.example" });
});

describe("[MX37] a mistake never leaves less to a person", () => {
  const ON = `mode = "on"`;
  const pilot = (text: string) => inForce(`[autopilot]\n${text}`).autopilot;

  test.each([
    [`mode = "onn"`, { mode: "off" }],
    [`${ON}\nundo_seconds = "600"`, { mode: "on", undo_seconds: 3600 }],
    [`${ON}\nundo_second = 600`, { undo_seconds: 3600 }],
    [`${ON}\nbudget_per_hour = -1`, { budget_per_hour: 1 }],
    [`${ON}\nbuget_per_session = 5`, { budget_per_session: 1 }],
    [`${ON}\ndocuments = "none"`, { documents: [] }],
    [`${ON}\nquiet = "at night"`, { mode: "suggest" }],
    [
      `${ON}\nprojects = { "~/shop" = "on" }\nqiet = "09:00-18:00"`,
      { mode: "suggest", projects: { "~/shop": "suggest" } },
    ],
    [`${ON}\nprojects = { "~/shop" = "of", "~/lab" = "on" }`, { projects: { "~/shop": "off", "~/lab": "on" } }],
    [`${ON}\nprojects = 3`, { mode: "off" }],
    [`${ON}\nphases = { "/x" = "nap" }`, { mode: "off" }],
    [`${ON}\nbrain = "missing"`, { mode: "on", brain: "" }],
    [`${ON}\nafter_escalation = "brian:x"\nescalate_after_seconds = 5`, { after_escalation: "wait" }],
  ])("%j", (text, wanted) => {
    expect(messages(`[autopilot]\n${text}`).length).toBeGreaterThan(0);
    expect(pilot(text)).toMatchObject(wanted);
  });

  test("a rule that cannot be read holds what it may have matched, in its place", () => {
    const { rules } = pilot(
      `rules = [
        { name = "first", match = { header = "Auth" }, choose = "recommended" },
        { name = "guard", match = { question = "/prod/" }, act = "nevr" },
        { name = "typo", match = { quesiton = "/prod/" }, act = "hold" },
        { match = { header = "X" }, choose = "recommended" },
        "what", { name = "last", match = {}, choose = "recommended" } ]`,
    );
    expect(rules.map(({ name, act, match }) => [name, act, match])).toEqual([
      ["first", undefined, { header: ["Auth"] }],
      ["guard", "never-auto", { question: ["/prod/"] }],
      ["typo", "never-auto", {}],
      ["rule 4", "never-auto", { header: ["X"] }],
      ["rule 5", "never-auto", {}],
      ["last", undefined, {}],
    ]);
    expect(pilot(`rules = "none"`).rules).toMatchObject([{ act: "never-auto", match: {} }]);
  });

  test("a brain that cannot be read is none, and is told about once", () => {
    const text = `[autopilot]\n${ON}\nbrain = "b"\nafter_escalation = "brain:b"\nrules = [{ name = "r", brain = "b" }]
      [autopilot.brains.b]\ntype = "command"\ncomand = ["x"]\n[autopilot.brains.c]\ntype = "command"\ncommand = ["y"]`;
    expect(messages(text).every((message) => message.includes("autopilot.brains.b"))).toBe(true);
    const { brain, brains, after_escalation, rules } = inForce(text).autopilot;
    expect([brain, Object.keys(brains), after_escalation, rules[0]?.act]).toEqual(["", ["c"], "wait", "never-auto"]);
  });

  test("a limit of tasks that cannot be read is the strictest", () => {
    expect(inForce(`tasks = { budget_usd = "5", retry_limit = "1", limt = 2 }`).tasks).toMatchObject({
      budget_usd: 0.01,
      retry_limit: 0,
      limit: 1,
    });
  });

  test("of a project's file a wrong key sets nothing of the person's", () => {
    const { settings, complaints } = checkConfig(parse(`tasks = { budget_us = 5, on_idle = "cancel" }`), "project");
    expect([[...settings], complaints.length]).toEqual([[["tasks.on_idle", "cancel"]], 1]);
  });
});

test("[MX38] whatever a file holds, what comes of it is valid, and every key with a right value is in force", () => {
  const junk = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom("on", "off", "", -1, 1e9, [], {}, [[]], [{}]));
  const names = [
    ...LEAVES.map(({ key }) => key),
    "autopilot.rules",
    "autopilot.brains",
    "tasks",
    "web",
    "nothing.such",
  ];
  const file = fc.dictionary(fc.constantFrom(...names), junk, { maxKeys: 8 });
  fc.assert(
    fc.property(file, (keys) => {
      const data: Record<string, unknown> = {};
      for (const [key, value] of Object.entries(keys)) place(data, key.split("."), value);
      const { settings, complaints, ok } = checkConfig(data, "user");
      const { values } = combine([{ settings, source }]);
      expect(Config.safeParse(values).success).toBe(true);
      expect(AutopilotConfig.safeParse(values.autopilot).success).toBe(true);
      expect(ok).toBe(complaints.length === 0);
    }),
    { numRuns: 1000 },
  );
});

function place(data: Record<string, unknown>, [name = "", ...rest]: string[], value: unknown): void {
  if (rest.length === 0) return void (data[name] = value);
  const inner = (data[name] ??= {});
  if (typeof inner === "object" && inner !== null) place(inner as Record<string, unknown>, rest, value);
}
