import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { question } from "./api-request.ts";
import { create } from "./cli-words.ts";
import { createProgram, holds, type Program } from "./program.ts";
import { eventually } from "../patience.ts";

const KEY = "sk-very-secret-0123456789";
const good = JSON.stringify({
  actions: [{ action: "select", optionIndex: 1 }],
  reason: "The roadmap.",
  confidence: 0.9,
});

let program: Program;
/** What the person's servers got: the gateway refuses twice before it takes a message. */
const seen: { path: string; key: string | null; body: string }[] = [];
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const { pathname } = new URL(request.url);
    const key = request.headers.get("x-api-key") ?? request.headers.get("authorization");
    seen.push({ path: pathname, key, body: await request.text() });
    if (pathname === "/v1/messages") return Response.json({ content: [{ type: "text", text: good }] });
    if (pathname !== "/hooks/agent") return new Response(`no: ${String(key)}`, { status: 401 });
    if (seen.filter(({ path }) => path === pathname).length < 3) return new Response("starting", { status: 503 });
    return Response.json({ ok: true, runId: "run-1" });
  },
});

/** Words that the gate lets through, one for each brain. */
const HEADERS = {
  good: "Good",
  slow: "Slow",
  liar: "False",
  junk: "Odd",
  missing: "Missing",
  endpoint: "Point",
  refused: "No",
  gateway: "Door",
} as const;

beforeAll(async () => {
  program = createProgram();
  const keyFile = join(program.root, "key");
  writeFileSync(keyFile, `${KEY}\n`, { mode: 0o600 });
  const script = (name: string, text: string) => {
    const path = join(program.root, name);
    writeFileSync(path, `#!/bin/sh\ncat > "${path}.input"\n${text}\n`);
    chmodSync(path, 0o755);
    return `type = "command"\ncommand = ["${path}"]`;
  };
  const said = (actions: unknown) => `echo '${JSON.stringify({ actions })}'`;
  const endpoint = `url = "${server.url.origin}"\nkey_file = "${keyFile}"`;
  const brains: Record<keyof typeof HEADERS, string> = {
    good: script("good", `echo '${good}'`),
    slow: `${script("slow", "sleep 1000")}\ntimeout_seconds = 1`,
    liar: script("liar", said([{ action: "select", optionIndex: 0, label: "PostgreSQL" }])),
    junk: script("junk", "echo 'I would take the second one.'"),
    missing: script("missing", said([{ action: "select", optionIndex: 7 }])),
    endpoint: `type = "anthropic"\nmodel = "m"\n${endpoint}`,
    refused: `type = "openai"\nmodel = "m"\n${endpoint}`,
    gateway: `type = "openclaw"\n${endpoint}`,
  };
  const names = Object.keys(brains) as (keyof typeof HEADERS)[];
  const config = [
    `[autopilot]\nmode = "on"\ntrust.per_rule = 0\nundo_seconds = 0`,
    ...names.map(
      (name) => `[[autopilot.rules]]\nname = "${name}"\nmatch = { header = "${HEADERS[name]}" }\nbrain = "${name}"`,
    ),
    ...names.map((name) => `[autopilot.brains.${name}]\n${brains[name]}`),
  ].join("\n");
  mkdirSync(join(program.user, ".config/parley"), { recursive: true });
  writeFileSync(join(program.user, ".config/parley/config.toml"), config);
  mkdirSync(join(program.user, "shop/.git"), { recursive: true });
  writeFileSync(join(program.user, "shop/ROADMAP.md"), "PostgreSQL from phase 2 on.");
  await program.start();
});
afterAll(async () => {
  await program.dispose();
  await server.stop(true);
});

const asks = (brain: string) =>
  create(program, [question(HEADERS[brain as keyof typeof HEADERS])], {
    cwd: join(program.user, "shop"),
    project: "shop",
    branch: "main",
  });
const explain = async (id: string) => (await program.parley(["explain", id])).out;
const told = async (id: string, words: string) => {
  const found = await holds(async () => (await explain(id)).includes(words));
  if (!found) throw new Error(`${words} is not in\n${await explain(id)}`);
};

const proposed = ({ id }: { id: string }) =>
  eventually(async () => {
    const { autopilot } = await program.client().call("getAsk", { id });
    expect(autopilot?.state).toBe("suggested");
    return autopilot?.proposal;
  });

test("[BR41] a brain's answer is proposed as the brain's, with its reason in the log", async () => {
  const made = await asks("good");
  expect(await proposed(made)).toMatchObject({
    action: "answer",
    by: { type: "brain", name: "good" },
    answers: [{ picks: [1] }],
  });
  const input = JSON.parse(readFileSync(join(program.root, "good.input"), "utf8")) as {
    documents: object[];
    ask: object;
  };
  expect(input.ask).toMatchObject({ id: made.id, project: "shop", branch: "main" });
  // A script belongs to no session: it may just have written them.
  expect(input.documents).toEqual([]);
  await told(made.id, "The roadmap.");
});

describe("[BR42] a brain that fails leaves the question to a person, and says why", () => {
  test.each([
    ["slow", "slow: no answer within 1 s"],
    ["liar", `liar: its reply does not answer the question, twice: Option 0 is "SQLite"`],
    ["junk", `junk: its reply does not answer the question, twice: There must be one JSON object with "actions" in it`],
    ["missing", "missing: its reply does not answer the question, twice: There is no option 7"],
    ["refused", "answered 401: it does not accept the key"],
  ])("%s", async (name, why) => {
    const { id } = await asks(name);
    await told(id, why);
    expect((await program.client().call("getAsk", { id })).state).toBe("open");
  });
});

test("[BR43] a gateway that is down twice gets the message, and its agent's command is the brain's answer", async () => {
  const made = await asks("gateway");
  const wrong = [
    "answer",
    made.id,
    "--as",
    "gateway",
    "--actions",
    `[{"action":"select","optionIndex":0,"label":"PostgreSQL"}]`,
  ];
  const isAsked = () => seen.filter(({ path }) => path === "/hooks/agent").length === 3;
  expect(await holds(isAsked)).toBe(true);
  const message = (JSON.parse(seen.findLast(({ path }) => path === "/hooks/agent")?.body ?? "") as { message: string })
    .message;
  const command = /^(\S+) answer (\w+) --as gateway --verdict/m.exec(message);
  expect(command?.slice(1)).toEqual([program.paths.program, made.id]);
  const answer = ["answer", made.id, "--as", "gateway"];
  expect(await program.parley([...answer, "--verdict", "no"])).toMatchObject({ code: 2, out: "" });
  expect(await program.parley(["answer", made.id, "--as", "other", "--verdict", "{}"])).toMatchObject({ code: 77 });
  expect(await program.parley([...answer, "--verdict", "{}"])).toMatchObject({ code: 0, err: "" });
  expect(await holds(() => seen.some(({ body }) => body.includes(`${made.id} --as gateway --actions`)))).toBe(true);
  expect(await program.parley(wrong)).toMatchObject({ code: 2, out: "" });
  const actions = ["--actions", `[{"action":"select","optionIndex":1,"label":"PostgreSQL"}]`, "--reason", "Because."];
  expect(await program.parley(["answer", made.id, ...actions])).toMatchObject({ code: 77, out: "" });
  expect(await program.parley([...answer, ...actions])).toMatchObject({ code: 0, err: "" });
  expect(await proposed(made)).toMatchObject({ by: { type: "brain", name: "gateway" }, answers: [{ picks: [1] }] });
  await told(made.id, "Because.");
});

test("[BR47] while a gateway thinks, an agent's session is not taken for it, and a misfit is refused to whoever sent it", async () => {
  const { id } = await create(program, [question(HEADERS.gateway)], { project: "shop", inside: "asking-session" });
  const asked = () => seen.some(({ path, body }) => path === "/hooks/agent" && body.includes(id));
  expect(await holds(asked)).toBe(true);
  const actions = ["answer", id, "--as", "gateway", "--actions", `[{"action":"select","optionIndex":0}]`];
  const env = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "asking-session" };
  expect(await program.parley(actions, { env })).toMatchObject({ code: 77, out: "" });
  const misfit = { action: "answer" as const, answers: [{ picks: [9] }], decision: {} };
  const refused = program.client().call("settleAsk", { id, body: misfit });
  expect(await refused.catch((error: Error) => error.message)).toBe("Unknown option: 9");
  expect((await program.client().call("getAsk", { id })).state).toBe("open");
  expect(await program.parley(actions)).toMatchObject({ code: 0 });
  expect(await proposed({ id })).toMatchObject({ by: { type: "brain", name: "gateway" } });
});

test("[BR44] a key reaches its server and is nowhere else: no log, no database, no file, no command's output", async () => {
  const made = await asks("endpoint");
  expect(await proposed(made)).toMatchObject({ by: { name: "endpoint" } });
  expect(seen.find(({ path }) => path === "/v1/messages")?.key).toBe(KEY);
  expect(seen.every(({ body }) => !body.includes(KEY))).toBe(true);
  const outputs = [
    ["explain", made.id],
    ["show", made.id, "--json"],
    ["config"],
    ["config", "--json"],
    ["log", "--json"],
  ];
  for (const args of outputs) expect((await program.parley(args)).out).not.toContain(KEY);
  const files = readdirSync(program.home, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  expect(files.length).toBeGreaterThan(3);
  for (const file of files) expect(readFileSync(join(file.parentPath, file.name)).includes(KEY)).toBe(false);
});
