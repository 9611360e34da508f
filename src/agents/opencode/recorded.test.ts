import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Received } from "../../core/receipt/received.ts";
import { type Asked, type EventReading, readEvent, readPending } from "./read-event.ts";
import { readPart } from "./receipt.ts";

const FIXTURES = join(import.meta.dir, "fixtures");
const VERSIONS = readdirSync(FIXTURES);

const picked = (text: string, choices: (Received & { type: "answers" })["choices"]) => ({
  type: "answers",
  choices,
  text,
});
const said = (...answers: [question: string, answer: string][]) =>
  `User has answered your questions: ${answers.map(([q, a]) => `"${q}"="${a}"`).join(", ")}. You can now continue with the user's answers in mind.`;
const DATABASE = "Which database should I use?";
const FEATURES = "Which features should be enabled?";
const REJECTED = "The user rejected permission to use this specific tool call";

/** What came of each case, as scripts/record-opencode.ts brings it about. */
const RECEIVED: Record<string, unknown> = {
  "answered-outside": picked(said([DATABASE, "SQLite, embedded"]), [{ labels: ["SQLite, embedded"] }]),
  "form-outside": picked(
    said([DATABASE, "SQLite, embedded"], [FEATURES, "Auth, Search, my own, words, [note] keep it small"]),
    [{ labels: ["SQLite, embedded"] }, { labels: ["Auth", "Search"], text: "my own, words", note: "keep it small" }],
  ),
  unanswered: picked(said([DATABASE, "Unanswered"]), [{ labels: [] }]),
  "answered-terminal": picked(said([DATABASE, "PostgreSQL"]), [{ labels: ["PostgreSQL"] }]),
  dismissed: { type: "refused", by: "escape", text: "The user dismissed this question" },
  "permission-once": { type: "ran", isError: false, text: expect.any(String) },
  "permission-always": { type: "ran", isError: false, text: expect.any(String) },
  "permission-edit": { type: "ran", isError: false, text: expect.any(String) },
  "permission-rejected": { type: "refused", by: "escape", text: `${REJECTED}.` },
  "permission-rejected-with-words": {
    type: "denied",
    text: `${REJECTED} with the following feedback: Use mktemp instead`,
  },
  aborted: { type: "interrupted", text: "Tool execution aborted" },
  killed: "running",
};
const SETTLED: Record<string, object> = {
  "answered-outside": { answers: [["SQLite, embedded"]] },
  "form-outside": {
    answers: [["SQLite, embedded"], ["Auth", "Search", "my own, words", "[note] keep it small"]],
  },
  unanswered: { answers: [[]] },
  "answered-terminal": { answers: [["PostgreSQL"]] },
  dismissed: { reply: "reject" },
  "permission-once": { reply: "once" },
  "permission-always": { reply: "always" },
  "permission-edit": { reply: "once" },
  "permission-rejected": { reply: "reject" },
  "permission-rejected-with-words": { reply: "reject" },
};

describe.each(
  VERSIONS.flatMap((version) => readdirSync(join(FIXTURES, version)).map((name) => [version, name] as const)),
)("%s %s", (version, name) => {
  const file = (of: string) => readFileSync(join(FIXTURES, version, name, of), "utf8");
  const carried = file("events.jsonl")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { event: unknown; call?: unknown });
  const readings = carried.map(({ event, call }) => readEvent(event, call)).filter((reading) => reading !== undefined);
  const only = <T extends EventReading["type"]>(type: T) =>
    readings.filter((reading): reading is Extract<EventReading, { type: T }> => reading.type === type);
  const [asked] = only("asked");
  const part = JSON.parse(file("part.json")) as unknown;
  // 1.1.11 and 1.3.2 write a call down late: one that is aborted in time leaves no trace but the end of its turn.
  const expected = part === null ? undefined : RECEIVED[name];

  test("[OC10] it is asked once, with its call, its request and its session", () => {
    expect(only("asked")).toHaveLength(1);
    const kind = name.startsWith("permission") ? "approval" : "question";
    expect(asked).toMatchObject({ kind, key: `call_${name}` });
    expect([asked?.request, asked?.session.id, asked?.turn].join(" ")).toMatch(/^(que|per)_\w+ ses_\w+ msg_\w+$/);
  });

  test("[OC11] the list of what is open says the same, but for the command before 1.18", () => {
    const lists = JSON.parse(file("pending.json")) as { question: unknown; permission: unknown };
    const [listed, ...others] = readPending(lists.question, lists.permission);
    expect(others).toEqual([]);
    // What a grant can be about is in the call, which only the plugin sees.
    const bare = (reading: Asked | undefined) => ({
      ...reading,
      call: undefined,
      about: undefined,
      change: undefined,
      questions: reading?.questions.map((question) => ({ ...question, body: undefined, title: undefined })),
    });
    expect(bare(listed)).toEqual(bare(asked));
  });

  test("[OC12] how it was settled is heard before what came of it, and both are what was done", () => {
    const settled = only("settled-elsewhere").filter(({ request }) => request === asked?.request);
    const how = SETTLED[name];
    if (how)
      expect(settled.map(({ answers, reply }) => ({ answers, reply }))).toEqual([
        { answers: undefined, reply: undefined, ...how },
      ]);
    const results = only("result").map(({ key, received }) => ({ key, received }));
    const isOver = expected !== undefined && expected !== "running";
    expect(results).toEqual(isOver ? [{ key: `call_${name}`, received: expected as Received }] : []);
    if (name !== "killed") expect(only("turn-ended").length).toBeGreaterThan(0);
  });

  test("[OC13] its part in the record says the same as the event", () => {
    const read = readPart(part);
    expect(read?.received).toEqual(expected as Received | undefined);
    if (read) expect(read).toMatchObject({ key: `call_${name}`, session: asked?.session.id, turn: asked?.turn });
    if (read && asked?.kind === "question") expect(read.questions).toEqual(asked.questions);
  });
});

describe.each(VERSIONS)("%s", (version) => {
  const asked = (name: string) => {
    const lines = readFileSync(join(FIXTURES, version, name, "events.jsonl"), "utf8")
      .trim()
      .split("\n");
    const readings = lines.map((line) => JSON.parse(line) as { event: unknown; call?: unknown });
    return readings.map(({ event, call }) => readEvent(event, call)).find((reading) => reading?.type === "asked");
  };

  test("[OC14] a command is shown whole, and what Always allows is said", () => {
    const [question] = asked("permission-once")?.questions ?? [];
    expect(question).toMatchObject({
      text: "Allow this command?",
      header: "bash",
      title: "$ cd . && echo once > once.txt",
      body: "$ cd . && echo once > once.txt\n# Works in the lab",
    });
    const all = version === "1.1.11" ? "echo*" : "echo *";
    expect(question?.options.map(({ label, effect, stakes }) => [label, effect, stakes])).toEqual([
      ["Approve", "allow", undefined],
      [`Always allow ${all}`, "allow", undefined],
      ["Deny", "deny", undefined],
      ["Deny and stop", "cancel", undefined],
    ]);
  });

  test("[OC15] an edit is shown as a diff; to allow every edit is a high stake", () => {
    const [question] = asked("permission-edit")?.questions ?? [];
    expect(question?.text).toBe("Allow this edit of /home/dev/project/new.txt?");
    expect(question?.title).toBe("write new.txt (+2)");
    expect(question?.body).toContain("+one\n+two\n");
    expect(question?.options[1]).toMatchObject({ label: "Always allow every edit", effect: "allow", stakes: "high" });
  });
});
