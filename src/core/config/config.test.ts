import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { parse } from "smol-toml";
import { Config, LEAVES } from "./config.ts";
import { checkConfig } from "./check.ts";
import { placesIn } from "./place.ts";
import { quietFor } from "./quiet.ts";

const complaints = (text: string, scope: "user" | "project" = "user") => {
  const checked = checkConfig(parse(text), scope);
  return checked.ok ? [] : checked.complaints.map(({ message }) => message);
};

describe("check", () => {
  test.each([
    [`port = "x"`, `port: expected a port from 1024 to 65000, or 0 for any, not "x"`],
    ["port = 80", "port: expected a port from 1024 to 65000, or 0 for any, not 80"],
    ["port = 4747.5", "port: expected a port from 1024 to 65000, or 0 for any, not 4747.5"],
    ["hold.subagent_seconds = -1", "hold.subagent_seconds: expected a whole number from 0 to 3600, not -1"],
    ["hold.subagent_seconds = 1.5", "hold.subagent_seconds: expected a whole number from 0 to 3600, not 1.5"],
    ["retention.days = [1]", "retention.days: expected a whole number from 0 to 36500, not a list"],
    ["hold = 3", "hold: expected a table, not 3"],
    ["notify = [{ enabled = true }]", "notify: expected a table, not a list"],
    [`notify.enabled = "yes"`, `notify.enabled: expected true or false, not "yes"`],
    [`notify.quiet = "22-7"`, `notify.quiet: expected a time such as "22:00-07:00", not "22-7"`],
    [`notify.quiet = "24:00-07:00"`, `notify.quiet: expected a time such as "22:00-07:00", not "24:00-07:00"`],
    [`notify.quiet = "07:00-07:00"`, `notify.quiet: expected a time such as "22:00-07:00", not "07:00-07:00"`],
    ["notify.quiet = 22:00:00", `notify.quiet: expected a time such as "22:00-07:00", not a table`],
    [`notify.link_base = "me"`, "notify.link_base: expected an address that begins with http:// or https://"],
    [`notify.link_base = "https://me/?a"`, "notify.link_base: expected an address without ? and #"],
    [
      `notify.ntfy.url = "https://ntfy.sh"`,
      "notify.ntfy.url: add a topic after the host, as in https://ntfy.sh/your-topic",
    ],
    ["notify.link_minutes = 0", "notify.link_minutes: expected a whole number from 1 to 10080, not 0"],
    [
      `notify.webhook.url = "https://a.example"`,
      "notify.webhook.secret: at least 16 characters are needed, so that the receiver can tell who sent it",
    ],
  ])("[G2] %s is a mistake, in words", (text, message) => {
    expect(complaints(text)).toEqual([message]);
  });

  test("[G8] what may be a secret is not repeated in a complaint", () => {
    const text = `notify.ntfy = { url = "tk_secret", token = "tk secret" }\nnotify.webhook = { url = "tk_secret", secret = ["tk_secret"] }`;
    expect(complaints(text)).toHaveLength(4);
    expect(complaints(text).join()).not.toContain('secret"');
    expect(complaints(text).join()).not.toContain("tk");
  });

  test.each([
    ["prot = 1", "unknown key prot; did you mean port?"],
    ["[notfy]", "unknown key notfy; did you mean notify?"],
    ["notify.enabeld = true", "unknown key notify.enabeld; did you mean notify.enabled?"],
    ["subagent_seconds = 1", "unknown key subagent_seconds; did you mean hold.subagent_seconds?"],
    ["notify.url = ''", "unknown key notify.url; did you mean notify.ntfy.url?"],
    ["notify.ntfy.topic = ''", "unknown key notify.ntfy.topic; did you mean notify.ntfy.token?"],
    ['"por\\u001b[31mt" = 1', "unknown key port; did you mean port?"],
  ])("[G3] %s names the nearest known key", (text, message) => {
    expect(complaints(text)).toEqual([message]);
  });

  test("[G2] every mistake is told at once, and no more than twenty", () => {
    expect(complaints(`port = 1\nnotify.quiet = ""\nnotify.enabled = 1\nx = 1`)).toHaveLength(3);
    expect(complaints(Array.from({ length: 500 }, (_, i) => `k${i} = 1`).join("\n"))).toHaveLength(20);
  });

  const policies = ["tasks.on_idle", "tasks.on_dead", "tasks.on_error", "tasks.on_gate", "tasks.on_prompt"];
  const harmless = [
    "approvals.must_ask",
    ...policies,
    "notify.enabled = false",
    "notify.after_seconds",
    "autopilot.rules",
  ].join(", ");
  test.each(LEAVES.map(({ key }) => key))("[G4] a project may set %s only if that is harmless", (key) => {
    const value = valueFor(key);
    const refused = `${key} cannot be set by a project; only your own config may. A project may set: ${harmless}`;
    expect(complaints(`${key} = ${value}`)).toEqual(key === "notify.webhook.url" ? [expect.any(String)] : []);
    const expected =
      key === "notify.enabled"
        ? [`${key}: a project may only set it to false`]
        : [...policies, "approvals.must_ask", "notify.after_seconds", "autopilot.rules"].includes(key)
          ? []
          : [refused];
    expect(complaints(`${key} = ${value}`, "project")).toEqual(expected);
    expect(complaints("notify.enabled = false", "project")).toEqual([]);
  });

  const allowed: Record<string, string> = {
    on_idle: "nudge, retry, escalate or cancel",
    on_dead: "resume, retry, escalate or cancel",
    on_error: "resume, retry, escalate or cancel",
    on_gate: "nudge, retry, escalate or cancel",
    on_prompt: "nudge, escalate or cancel",
  };
  test.each(Object.entries(allowed))("[TC57] tasks.%s may be %s, nothing else", (key, words) => {
    for (const value of ["nudge", "resume", "retry", "escalate", "cancel"])
      expect(complaints(`tasks.${key} = "${value}"`)).toEqual(
        words.split(/, | or /).includes(value) ? [] : [expect.stringContaining(words)],
      );
  });

  test("[G4] one refused key makes the whole project file count for nothing", () => {
    const text = `notify.after_seconds = 5\nnotify.webhook.url = "https://evil.example"`;
    expect(checkConfig(parse(text), "project")).toMatchObject({
      ok: false,
      complaints: [{ path: ["notify", "webhook", "url"] }],
    });
  });

  test("[G1] a file sets what it names and nothing else", () => {
    const checked = checkConfig(parse(`port = 5000\n[notify.ntfy]\nurl = "https://ntfy.example/t"`), "user");
    expect(checked).toEqual({
      ok: true,
      complaints: [],
      wrong: new Map(),
      settings: new Map<string, unknown>([
        ["port", 5000],
        ["notify.ntfy.url", "https://ntfy.example/t"],
      ]),
    });
  });
});

function valueFor(key: string): string {
  const value = key.split(".").reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], Config.parse({}));
  if (/(url|link_base)$/.test(key)) return `"https://a.example/b"`;
  return key === "notify.enabled" ? "true" : JSON.stringify(value);
}

describe("places", () => {
  const at = (text: string, ...path: (string | number)[]) => {
    parse(text);
    return placesIn(text)(path);
  };

  test("[G2] keys, tables, inline tables, lists and lists of tables are found", () => {
    const text = [
      "# port = 1",
      "port = 1 # [port]",
      'text = """',
      "[fake]",
      'a = 1 ""\\""""',
      "'quoted.key' = '''",
      "x = 2",
      "'''''",
      "  list = [ 1, # ]",
      '    "]", { a = 3, b.c = [4] } ]',
      "[ a . b ]",
      "\tc.d = { e = 1 }",
      "[[rule]]",
      "m = 1",
      "[[rule]]",
      "m = 2",
      "[rule.deep]",
      "n = 1979-05-27 07:32:00",
    ].join("\n");
    const found = (...path: (string | number)[]) => {
      const place = at(text, ...path);
      return place && `${place.line}:${place.column}`;
    };
    expect(found("port")).toBe("2:1");
    expect(found("text")).toBe("3:1");
    expect([found("fake"), found("a", "a"), found("x")]).toEqual([undefined, undefined, undefined]);
    expect(found("quoted.key")).toBe("6:1");
    expect([found("list"), found("list", 0), found("list", 1)]).toEqual(["9:3", "9:12", "10:5"]);
    expect([found("list", 2), found("list", 2, "a"), found("list", 2, "b", "c", 0)]).toEqual([
      "10:10",
      "10:12",
      "10:26",
    ]);
    expect([found("a"), found("a", "b"), found("a", "b", "c"), found("a", "b", "c", "d", "e")]).toEqual([
      "11:1",
      "11:1",
      "12:2",
      "12:10",
    ]);
    expect([found("rule", 0, "m"), found("rule", 1), found("rule", 1, "m"), found("rule", 1, "deep", "n")]).toEqual([
      "14:1",
      "15:1",
      "16:1",
      "18:1",
    ]);
  });

  const name = fc.oneof(fc.constantFrom("a", "b-c", "7", "'q.q'", '"x\\"y"'), fc.stringMatching(/^[a-z]{1,6}$/));
  const plain = fc.constantFrom(
    "1",
    '"s#[x]="',
    "'l]'",
    '"""\nk = 1\n"""',
    "'''\n[t]\n'''",
    "1979-05-27T07:32:00Z",
    "true",
    "-1.5",
  );
  const value = fc.oneof(
    plain,
    fc.array(plain, { maxLength: 3 }).map((list) => `[ # ]\n ${list.join(" ,\n")} ]`),
    fc.tuple(plain, plain).map(([a, b]) => `{ in = ${a.replaceAll("\n", "")}, out = ${b.replaceAll("\n", "")} }`),
  );

  test("[G2] every key of any valid text is found on its own line", () => {
    const file = fc.uniqueArray(fc.tuple(name, value, fc.constantFrom("", "  ", "\n\n", "# [x]\n", "\r\n")), {
      selector: ([key]) => key.replaceAll(/['"]/g, ""),
      maxLength: 8,
    });
    fc.assert(
      fc.property(file, (pairs) => {
        let text = "";
        const lines: [string, number][] = pairs.map(([key, written, before]) => {
          text += before;
          const line = text.split("\n").length;
          text += `${key} = ${written}\n`;
          return [Object.keys(parse(`${key} = 1`))[0] ?? "", line];
        });
        let data: unknown;
        try {
          data = parse(text);
        } catch {
          fc.pre(false);
        }
        expect(Object.keys(data as object).toSorted()).toEqual(lines.map(([key]) => key).toSorted());
        for (const [key, line] of lines) expect([key, placesIn(text)([key])?.line]).toEqual([key, line]);
      }),
      { numRuns: 500 },
    );
  });

  test("[G9] text that is no TOML, and a path without end, are not followed for ever", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...Array.from("[]{}\"'=.,#\n a1\\")) }),
        (text) => placesIn(text)(["a"]) !== null,
      ),
      { numRuns: 500 },
    );
    const deep = `${Array.from({ length: 30_000 }, () => "a").join(".")} = 1`;
    expect(placesIn(`${deep}\n[${deep.slice(0, -4)}]\nb = 1`)(["a"])).toEqual({ line: 1, column: 1 });
  });
});

test.each([
  ["22:00-07:00", "21:59", 0],
  ["22:00-07:00", "22:00", 540],
  ["22:00-07:00", "00:00", 420],
  ["22:00-07:00", "06:59", 1],
  ["22:00-07:00", "07:00", 0],
  ["13:00-14:30", "12:59", 0],
  ["13:00-14:30", "13:00", 90],
  ["13:00-14:30", "14:30", 0],
  ["", "03:00", 0],
])("[N5] quiet %s, at %s it lasts %d minutes more", (quiet, time, minutes) => {
  const [hours = 0, rest = 0] = time.split(":").map(Number);
  expect(quietFor(quiet, hours * 60 + rest)).toBe(minutes);
});
