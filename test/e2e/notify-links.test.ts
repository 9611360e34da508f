import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Kind } from "../../src/core/ask/ask.ts";
import { database, features, question } from "../sample.ts";
import { createReceiver, createStage, type Receiver, type Stage } from "./notify-stage.ts";

const BASE = "https://me.example.net";
type Option = { label: string; link?: string };
type Event = { ask: { id: string; questions: { options: Option[] }[] } };

const config = (receiver: Receiver, more = "") => `[notify]
after_seconds = 0
link_base = "${BASE}"
link_port = 0
${more}
[notify.webhook]
url = "${receiver.url}/"
secret = "0123456789abcdef"
`;

/** The options the webhook was told about. */
async function optionsIn(receiver: Receiver, count = 1): Promise<Option[]> {
  const event = (await receiver.nth(count)).json as unknown as Event;
  return event.ask.questions.flatMap(({ options }) => options);
}

const pathOf = (option: Option | undefined) => (option?.link ?? "").replace(BASE, "");

/** What a browser or an app gets behind the person's tunnel. */
async function call(stage: Stage, method: string, path: string, headers: Record<string, string> = {}) {
  const { links } = await stage.notifications.test("ntfy");
  const response = await fetch(`http://127.0.0.1:${links.port}${path}`, {
    method,
    headers: { host: "me.example.net", ...headers },
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

test("[N9] a link answers its question with exactly its option, as a person, on the surface link", async () => {
  await using receiver = createReceiver();
  await using stage = createStage();
  stage.config(config(receiver));
  const ask = await stage.ask();
  const [, postgres] = await optionsIn(receiver);
  expect(postgres?.link).toMatch(/^https:\/\/me\.example\.net\/act\/[\w-]{43}$/);
  expect(await call(stage, "POST", pathOf(postgres))).toMatchObject({ status: 200, text: "Answered: Postgres\n" });
  expect((await stage.store.ask(ask.id))?.outcome).toEqual({
    type: "answered",
    actor: { type: "person", surface: "link" },
    at: stage.clock.now,
    answers: [{ picks: [1] }],
  });
});

test("[N9] to open a link answers nothing: it shows the question and a button", async () => {
  await using receiver = createReceiver();
  await using stage = createStage();
  stage.config(config(receiver));
  const ask = await stage.ask({ questions: [question(`<script>alert(1)</script> "A" or B?`, ["A&<b>", "B"])] });
  const [first] = await optionsIn(receiver);
  for (const method of ["GET", "HEAD"]) {
    const { status, headers } = await call(stage, method, pathOf(first), { accept: "text/html" });
    expect([status, headers.get("cache-control"), headers.get("referrer-policy")]).toEqual([
      200,
      "no-store",
      "no-referrer",
    ]);
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  }
  const { text } = await call(stage, "GET", pathOf(first));
  expect(text).toContain("&#60;script&#62;alert(1)&#60;/script&#62; &#34;A&#34; or B?");
  expect(text).toContain('<form method="post"><button>Answer: A&#38;&#60;b&#62;</button></form>');
  expect(text).not.toContain("<script");
  expect((await stage.store.ask(ask.id))?.state).toBe("open");
});

test("[N9] a link works once", async () => {
  await using receiver = createReceiver();
  await using stage = createStage();
  stage.config(config(receiver));
  await stage.ask();
  const [sqlite, postgres] = await optionsIn(receiver);
  const both = await Promise.all([call(stage, "POST", pathOf(sqlite)), call(stage, "POST", pathOf(sqlite))]);
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 410]));
  const used = { status: 410, text: "This link was already used. Each one works once.\n" };
  expect(await call(stage, "POST", pathOf(sqlite))).toMatchObject(used);
  expect(await call(stage, "GET", pathOf(sqlite))).toMatchObject(used);
  const settled = { status: 409, text: "Already settled: answered by link 0 ms ago: SQLite\n" };
  expect(await call(stage, "POST", pathOf(postgres))).toMatchObject(settled);
  expect(await call(stage, "GET", pathOf(postgres))).toMatchObject(settled);
});

test("[N9] a link expires after an hour", async () => {
  await using receiver = createReceiver();
  await using stage = createStage();
  stage.config(config(receiver));
  const ask = await stage.ask();
  const [sqlite] = await optionsIn(receiver);
  stage.clock.now += 3_599_999;
  expect((await call(stage, "GET", pathOf(sqlite))).status).toBe(200);
  stage.clock.now += 1;
  const expired = { status: 410, text: "This link has expired. The question may still wait in your inbox.\n" };
  expect(await call(stage, "GET", pathOf(sqlite))).toMatchObject(expired);
  expect(await call(stage, "POST", pathOf(sqlite))).toMatchObject(expired);
  expect((await stage.store.ask(ask.id))?.state).toBe("open");
});

test("[N9] a question settled elsewhere is said to be", async () => {
  await using receiver = createReceiver();
  await using stage = createStage();
  stage.config(config(receiver));
  const ask = await stage.ask();
  const [, postgres] = await optionsIn(receiver);
  await stage.settle(ask);
  stage.clock.now += 2000;
  const { status, text } = await call(stage, "POST", pathOf(postgres), { accept: "text/html,*/*" });
  expect([status, text]).toEqual([
    409,
    expect.stringContaining("<p>Already settled: answered by cli 2 s ago: SQLite</p>"),
  ]);
});

test("[N9] a link works after a restart", async () => {
  await using receiver = createReceiver();
  await using stage = createStage();
  stage.config(config(receiver));
  const ask = await stage.ask();
  const [sqlite] = await optionsIn(receiver);
  await stage.restart();
  expect((await call(stage, "POST", pathOf(sqlite))).status).toBe(200);
  expect((await stage.store.ask(ask.id))?.outcome?.answers).toEqual([{ picks: [0] }]);
});

test("[N9] only a digest of the code is on disk", async () => {
  await using receiver = createReceiver();
  await using stage = createStage();
  stage.config(config(receiver));
  await stage.ask();
  const [sqlite] = await optionsIn(receiver);
  const code = pathOf(sqlite).replace("/act/", "");
  expect(code).toHaveLength(43);
  await stage.restart();
  for (const file of ["notify.db", "notify.db-wal", "parley.db", "parley.db-wal"]) {
    const bytes = await Bun.file(join(stage.home, file))
      .text()
      .catch(() => "");
    expect([file, bytes.includes(code)]).toEqual([file, false]);
  }
  expect(readFileSync(join(stage.home, "notify.db")).length).toBeGreaterThan(0);
  expect(JSON.stringify(stage.logged)).not.toContain(code);
});

test("[N15] the port of the links answers to its own names only, and has nothing but links", async () => {
  await using receiver = createReceiver();
  await using stage = createStage();
  stage.config(config(receiver));
  const ask = await stage.ask();
  const path = pathOf((await optionsIn(receiver))[0]);
  const wrong = { status: 403, text: "This address is not the one in notify.link_base or web.address.\n" };
  for (const host of ["evil.example", "me.example.net.evil.example", "127.0.0.1", ""])
    for (const method of ["GET", "POST"]) expect(await call(stage, method, path, { host })).toMatchObject(wrong);
  expect((await call(stage, "GET", path, { host: "ME.example.net" })).status).toBe(200);
  for (const other of ["/", "/health", "/api/asks", "/api/status", "/hook/call", "/act/", "/act/short", `${path}/x`])
    expect(await call(stage, "GET", other)).toMatchObject({ status: 404, text: "There is nothing here.\n" });
  const unknown = `/act/${"x".repeat(43)}`;
  for (const method of ["GET", "POST"]) expect((await call(stage, method, unknown)).status).toBe(404);
  for (const method of ["PUT", "DELETE", "OPTIONS"]) expect((await call(stage, method, path)).status).toBe(405);
  expect((await stage.store.ask(ask.id))?.state).toBe("open");
});

test("[N10] without link_base there are no links and no port for them", async () => {
  await using receiver = createReceiver();
  await using stage = createStage();
  stage.config(config(receiver).replace(/link_base.*\n/, ""));
  await stage.ask();
  expect((await optionsIn(receiver)).map(({ link }) => link)).toEqual([undefined, undefined]);
  expect((await stage.notifications.test("ntfy")).links).toEqual({ base: "" });
});

test("[N10] taken away again, link_base takes the port away too", async () => {
  await using receiver = createReceiver();
  await using stage = createStage();
  stage.config(config(receiver));
  await stage.ask();
  await optionsIn(receiver);
  const { port } = (await stage.notifications.test("ntfy")).links;
  stage.config(config(receiver).replace(/link_base.*\n/, ""));
  await stage.after(1);
  const refused = await fetch(`http://127.0.0.1:${port}/`).catch((error: NodeJS.ErrnoException) => error.code);
  expect(refused).toBe("ECONNREFUSED");
  expect((await stage.notifications.test("ntfy")).links).toEqual({ base: "" });
});

test("[N10] where the port is taken there are no links, and the log says why", async () => {
  await using receiver = createReceiver();
  await using stage = createStage();
  const { port } = new URL(receiver.url);
  stage.config(config(receiver).replace("link_port = 0", `link_port = ${port}`));
  await stage.ask();
  expect((await optionsIn(receiver)).map(({ link }) => link)).toEqual([undefined, undefined]);
  await stage.after(1);
  expect(stage.logged).toEqual([
    { level: "warn", message: "links cannot be served", fields: { port: Number(port), error: "EADDRINUSE" } },
  ]);
});

test.each(["approval", "plan"] as const)("[N11] %s: no links, unless the person wants them", async (kind) => {
  await using receiver = createReceiver();
  await using stage = createStage();
  stage.config(config(receiver));
  const options = [
    { label: "Approve", description: "", recommended: false },
    { label: "Always", description: "", recommended: false, stakes: "high" as const },
    { label: "Deny", description: "", recommended: false },
  ];
  const prompt = { ...question("Run rm?", []), options };
  await stage.ask({ kind, questions: [prompt] });
  expect((await optionsIn(receiver)).map(({ link }) => typeof link)).toEqual(["undefined", "undefined", "undefined"]);
  stage.config(config(receiver, "buttons_for_approvals = true"));
  const ask = await stage.ask({ kind, questions: [prompt] });
  const linked = await optionsIn(receiver, 2);
  expect(linked.map(({ link }) => typeof link)).toEqual(["string", "undefined", "string"]);
  stage.config(config(receiver));
  expect(await call(stage, "POST", pathOf(linked[0]))).toMatchObject({
    status: 403,
    text: "This question is not answered with a link. See your inbox.\n",
  });
  expect((await stage.store.ask(ask.id))?.state).toBe("open");
});

test("[N11] a button is only where the person sees all of what it answers", async () => {
  await using receiver = createReceiver();
  await using stage = createStage();
  stage.config(config(receiver, "buttons_for_approvals = true"));
  const approval = { ...question("Run this?", ["Approve", "Deny"]), body: "rm -rf /tmp/x\u001b[8m" };
  await stage.ask({ kind: "approval", questions: [approval] });
  const [approve] = await optionsIn(receiver, 1);
  expect((await call(stage, "GET", pathOf(approve))).text).toContain("<pre>rm -rf /tmp/x</pre>");
  const long = { ...approval, body: `${"x".repeat(1500)}; rm -rf /` };
  await stage.ask({ kind: "approval", questions: [long] });
  expect((await optionsIn(receiver, 2)).map(({ link }) => link)).toEqual([undefined, undefined]);
  await stage.ask({ questions: [question(`${"x".repeat(2000)}?`, ["A", "B"])] });
  expect((await optionsIn(receiver, 3)).map(({ link }) => link)).toEqual([undefined, undefined]);
});

test.each([
  ["several questions", "question", [database, features]],
  ["several options", "question", [features]],
  ["two options of one name", "question", [question("Which?", ["A", "A"])]],
  ["another kind", "idle", [database]],
] as const)("[N11] %s: one press would not be an answer, so there is none", async (_, kind, questions) => {
  await using receiver = createReceiver();
  await using stage = createStage();
  stage.config(config(receiver, "buttons_for_approvals = true"));
  await stage.ask({ kind: kind as Kind, questions: [...questions] });
  expect((await optionsIn(receiver)).every(({ link }) => link === undefined)).toBe(true);
});

test("[N8] ntfy gets a button for each of the first three options", async () => {
  await using receiver = createReceiver();
  await using stage = createStage();
  stage.config(
    `[notify]\nafter_seconds = 0\nlink_base = "${BASE}/p/"\nlink_port = 0\n[notify.ntfy]\nurl = "${receiver.url}/topic"\n`,
  );
  const ask = await stage.ask({ questions: [question("Which?", ["A", "B", "C", "D"])] });
  const first = await receiver.nth(1);
  const actions = first.json["actions"] as { url: string }[];
  const url = actions[2]?.url ?? "";
  expect(actions).toEqual(
    ["A", "B", "C"].map((label) => ({
      action: "http",
      label,
      url: expect.stringMatching(/^https:\/\/me\.example\.net\/p\/act\/[\w-]{43}$/),
      method: "POST",
      clear: true,
    })),
  );
  expect(first.json["message"]).toBe("Which?\n1. A\n2. B\n3. C\n4. D");
  expect((await call(stage, "POST", url.replace(BASE, ""))).text).toBe("Answered: C\n");
  expect((await stage.store.ask(ask.id))?.outcome?.answers).toEqual([{ picks: [2] }]);
});
