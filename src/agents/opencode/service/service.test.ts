import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import type { Ask } from "../../../core/ask/ask.ts";
import type { Outcome } from "../../../core/ask/outcome.ts";
import { contentOf, questionsIn } from "./form.ts";
import { listen } from "./listen.ts";
import { open } from "./open.ts";
import { Form } from "./payload.ts";
import { read } from "./read.ts";
import { isIt, places, registered } from "./registration.ts";
import { reply } from "./reply.ts";
import { isSecond } from "../version.ts";

const recorded = (version: string): unknown[] =>
  readFileSync(join(import.meta.dir, `fixtures/${version}/events.jsonl`), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as unknown);
const heard = (version: string) => {
  const hear = listen();
  return recorded(version)
    .map(hear)
    .flatMap(({ event, call }) => read(event, call));
};
const outcome = (more: Partial<Outcome>): Outcome => ({
  type: "answered",
  actor: { type: "person", surface: "cli" },
  at: 1,
  ...more,
});
const ask = (kind: Ask["kind"], questions: Ask["questions"]) => ({ kind, questions }) as Ask;

describe("the events of opencode 2, as recorded", () => {
  test("[OZ12] each request is asked once, settled at the same address, and its call's end says how", () => {
    const all = heard("0.0.0-next-16350");
    const asked = all.filter((reading) => reading.type === "asked");
    const settled = all.flatMap((reading) => (reading.type === "settled" ? [reading.request] : []));
    expect(asked.map(({ request }) => request)).toEqual(settled);
    const ends = asked.map(({ key }) => all.find((reading) => reading.type === "result" && reading.key === key));
    expect(ends.map((end) => end?.type === "result" && end.received)).toMatchObject([
      { type: "denied", isWordless: true },
      { type: "refused", by: "escape" },
      { type: "ran", isError: false },
      { type: "refused", by: "escape" },
      { type: "answers", choices: [{ labels: ["SQLite"] }] },
      { type: "ran", isError: false },
    ]);
    const [, , always, , , write] = asked;
    expect(always).toMatchObject({
      kind: "approval",
      call: { type: "command", command: "mkdir -p labdir && echo hi > labdir/x" },
      session: { cwd: "/home/you/project" },
    });
    expect(write).toMatchObject({ change: { path: "/home/you/project/note.txt", content: "hello\n" } });
    expect(all.filter(({ type }) => type === "turn-ended")).toHaveLength(6);
  });

  test("[OZ13] the first preview says the same in other words", () => {
    const all = heard("1.18.18");
    const kinds = all.flatMap((reading) => (reading.type === "asked" ? [reading.kind] : []));
    expect(kinds).toContain("question");
    expect(kinds).toContain("approval");
    expect(all).toContainEqual(
      expect.objectContaining({
        type: "result",
        received: expect.objectContaining({ type: "answers", choices: [{ labels: ["SQLite"] }] }),
      }),
    );
  });

  test("[OZ14] whatever it sends, nothing throws", () => {
    const types = [...new Set(recorded("0.0.0-next-16350").map((event) => (event as { type: string }).type))];
    const anything = fc.record({
      type: fc.constantFrom(...types, "question.v2.asked"),
      data: fc.object(),
      location: fc.object(),
    });
    fc.assert(
      fc.property(anything, fc.anything(), (event, call) => {
        const hear = listen();
        read(hear(event).event, call);
        registered("service.json", JSON.stringify(event), () => undefined);
      }),
      { numRuns: Number(process.env["FUZZ_RUNS"] ?? 300) },
    );
  });
});

describe("its registration", () => {
  const written = { id: "x", version: "2.0.1", url: "http://127.0.0.1:49374", pid: 12, password: "p" };
  const of = (more: object, name = "service.json") =>
    registered(name, JSON.stringify({ ...written, ...more }), (other) => (other === "password" ? "q\n" : undefined));

  test("[OZ15] says where it listens; its password goes to this machine alone", () => {
    expect(of({})).toEqual({ url: "http://127.0.0.1:49374", pid: 12, version: "2.0.1", password: "p" });
    expect(of({ password: undefined }, "server.json")?.password).toBe("q");
    expect(of({ url: "http://0.0.0.0:80/" })?.url).toBe("http://127.0.0.1");
    for (const url of ["http://10.0.0.1:1", "https://127.0.0.1:1", "http://127.0.0.1.evil.example", "file:///x", "", 7])
      expect(of({ url })).toBeUndefined();
    expect(of({}, "kv.json")).toBeUndefined();
    expect(registered("service.json", "{", () => undefined)).toBeUndefined();
  });

  test("[OZ16] is another one's where another process answers", () => {
    const at = { url: "", pid: 12, version: "" };
    expect(isIt({ healthy: true, pid: 12 }, at)).toBe(true);
    expect(isIt({ healthy: true }, at)).toBe(true);
    expect(isIt({ healthy: true, pid: 13 }, at)).toBe(false);
    expect(isIt("<html>", at)).toBe(false);
  });

  test("[OZ17] is looked for beside the settings; a set-up of one project is none for all of them", () => {
    const [found] = places("/home/a/.config/opencode/plugin/parley.js", {
      HOME: "/home/b",
      XDG_STATE_HOME: "/elsewhere",
    });
    expect(found).toEqual({ folder: "/home/a/.local/state/opencode", records: "/home/a/.local/share/opencode" });
    const own = places("/home/b/.config/opencode/plugin/parley.js", { HOME: "/home/b", XDG_STATE_HOME: "/elsewhere" });
    expect(own[0]?.folder).toBe("/elsewhere/opencode");
    expect(places("/src/shop/.opencode/plugin/parley.js", { HOME: "/home/b" })).toEqual([]);
  });

  test("[OZ18] versions are told apart", () => {
    expect(["2.0.1", "0.0.0-next-16350", "10.0.0"].map(isSecond)).toEqual([true, true, true]);
    expect(["1.18.33", "1.1.11", "0.15.2"].map(isSecond)).toEqual([false, false, false]);
  });
});

describe("a form of an MCP server", () => {
  const form = (fields: object[]) =>
    Form.parse({
      id: "frm_1",
      sessionID: "global",
      title: "Deploy",
      metadata: { kind: "mcp-elicitation", server: "shop", message: "Where to?" },
      fields,
    });
  const FIELDS = [
    { key: "where", type: "string", title: "Place", options: [{ value: "eu", label: "Europe" }], required: true },
    { key: "count", type: "integer", minimum: 1, maximum: 9, required: true },
    { key: "dry", type: "boolean" },
    {
      key: "tags",
      type: "multiselect",
      options: [
        { value: "a", label: "A" },
        { value: "b", label: "B" },
      ],
    },
  ];

  test("[OZ19] is typed questions, and goes back as typed values at its folder's address", () => {
    const created = { type: "form.created", location: { directory: "/src/shop" }, data: { form: form(FIELDS) } };
    const [asked] = read(created);
    if (asked?.type !== "asked") throw new Error("nothing was asked");
    expect(asked.questions.map(({ field }) => field?.type)).toEqual(["choice", "integer", "boolean", "choices"]);
    const answers = [{ picks: [0] }, { picks: [], text: "3" }, { picks: [0] }, { picks: [1] }];
    const sent = reply(ask("question", asked.questions), outcome({ answers }), asked.request);
    expect(sent).toEqual({
      method: "POST",
      path: "/api/session/global/form/frm_1/reply?location%5Bdirectory%5D=%2Fsrc%2Fshop",
      body: { answer: { where: "eu", count: 3, dry: true, tags: ["b"] } },
    });
    const hear = listen();
    hear(created);
    const ended = hear({
      type: "form.replied",
      location: { directory: "/src/shop" },
      data: { id: "frm_1", sessionID: "global", answer: { where: "eu", count: 3, dry: true, tags: ["b"] } },
    });
    expect(read(ended.event, ended.call)).toMatchObject([
      {
        type: "result",
        received: { choices: [{ labels: ["Europe"] }, { text: "3" }, { labels: ["Yes"] }, { labels: ["B"] }] },
      },
      { type: "settled", request: asked.request },
    ]);
  });

  test("[OZ20] what is not understood, and a secret, is left to its own terminal", () => {
    const one = (field: object) => questionsIn(form([{ key: "x", type: "string", ...field }]));
    expect(one({})).toHaveLength(1);
    expect(one({ pattern: "^a+$" })).toBeUndefined();
    expect(one({ when: [{ key: "y", op: "eq", value: "1" }] })).toBeUndefined();
    expect(one({ key: "password" })).toBeUndefined();
    expect(one({ type: "colour" })).toBeUndefined();
  });

  test("[OZ21] a wrong answer is not sent; declined, it is cancelled", () => {
    const questions = questionsIn(form(FIELDS)) ?? [];
    const wrong = outcome({ answers: [{ picks: [0] }, { picks: [], text: "99" }, { picks: [] }, { picks: [] }] });
    expect(contentOf(questions, wrong)).toBeUndefined();
    const request = "/api/session/global/form/frm_1?location%5Bdirectory%5D=%2F";
    expect(reply(ask("question", questions), wrong, request)).toBeUndefined();
    expect(reply(ask("question", questions), outcome({ type: "declined" }), request)?.path).toContain("/cancel?");
  });
});

test("[OZ22] what is open is asked of the sessions that run; what cannot be known is no empty list", async () => {
  const asked: string[] = [];
  const form = { id: "frm_1", sessionID: "ses_1", title: "", fields: [{ key: "q0", type: "string" }] };
  const answers: Record<string, unknown> = {
    "/api/session/active": { data: { ses_1: { type: "running" } } },
    "/api/session/ses_1": { data: { id: "ses_1", location: { directory: "/src" } } },
    "/api/session/ses_1/form": { data: [form] },
    "/api/session/ses_1/permission": { data: [] },
  };
  const get = async (path: string) => {
    asked.push(path);
    return path in answers ? { status: 200, body: answers[path] } : { status: 404, body: null };
  };
  expect(await open(get)).toEqual([
    { event: { type: "form.created", location: { directory: "/src" }, data: { form } } },
  ]);
  expect(asked.filter((path) => path.includes("location%5B"))).toEqual([]);
  expect(open(async () => ({ status: 0, body: null }))).rejects.toThrow("which sessions run");
  const half = async (path: string) => (path.endsWith("/form") ? { status: 500, body: null } : get(path));
  expect(open(half)).rejects.toThrow("what is open");
});
