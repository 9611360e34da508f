import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTerminal } from "./cli-terminal.ts";
import { by, FIRST, mismatchAfter, PARAGRAPH } from "./mismatch-stage.ts";
import { createProgram, holds, type Program } from "./program.ts";
import { question } from "./api-request.ts";

const CLAUDE = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "11111111-2222-4333-8444-555555555555" };

let program: Program;
beforeEach(async () => {
  program = createProgram();
  await program.start();
});
afterEach(() => program.dispose());

const screen = async (...args: string[]) => (await onTerminal(program, args, { columns: 400 })).text;
const toldTo = async (id: string) => (await program.client().call("getAsk", { id })).told?.to;

test("[DC30] a person who answered in a shell hears with the next command on a terminal, once, also after a restart", async () => {
  const { id } = await mismatchAfter(program, by(program, "cli"));
  await program.kill9();
  await program.start();
  expect((await program.parley(["ls"])).err).toBe("");
  expect(await screen("ls", "--json")).not.toContain(PARAGRAPH);
  const said = await screen("ls");
  expect(said).toContain("**You intended:** option 0 (Option A)   **Claude Code received:** Option B");
  expect(said).toContain(PARAGRAPH);
  expect(await toldTo(id)).toBe("cli");
  expect(await screen("status")).not.toContain(PARAGRAPH);
  expect((await program.parley(["log", id])).out).toContain("the decider was told (cli)");
});

test("[DC31] parley answer itself says it when the receipt comes while it waits", async () => {
  let ran: Awaited<ReturnType<Program["parley"]>> | undefined;
  const { told } = await mismatchAfter(
    program,
    async ({ id }) => void (ran = await program.parley(["answer", id, "1"])),
  );
  if (ran?.code === 5) {
    expect(ran.out).toStartWith("✗ Claude Code received something else");
    expect(ran.err).toEndWith(`\n\n${PARAGRAPH}\n`);
    expect(told?.to).toBe("cli");
  }
  // Its record was late: then the next command says it.
  else expect(await screen("ls")).toContain(PARAGRAPH);
});

test("[DC32] each surface tells its own people, and what a button or a rule decided whoever looks first", async () => {
  const client = program.client();
  const tell = async (surface: string) => {
    const { mismatches } = await client.call("tellMismatches", { body: { surface } });
    return mismatches.map(({ ask }) => ask);
  };
  const asks: Record<string, string> = {};
  for (const surface of ["cli", "inbox", "web", "popup", "desktop", "link"])
    asks[surface] = (await mismatchAfter(program, by(program, surface))).id;
  const of = (...names: string[]) => names.map((name) => asks[name] ?? "");
  expect(await tell("web")).toEqual(of("web", "desktop", "link"));
  expect(await tell("inbox")).toEqual(of("inbox", "popup"));
  expect(await tell("cli")).toEqual(of("cli"));
  for (const surface of ["web", "inbox", "cli"]) expect(await tell(surface)).toEqual([]);
});

test("[DC33] a program hears with its next decision, once, of its own only; a command lists all of them", async () => {
  const decision = (program_: string) => ({ decision: { program: program_ } });
  const mine = await mismatchAfter(program, by(program, "api", decision("night-shift")));
  const other = await mismatchAfter(program, by(program, "api", decision("other")));
  const plain = await mismatchAfter(program, by(program, "api"));
  const settle = async (more: object) => {
    const { id } = await program.client("agent").call("createAsk", { body: { questions: [question()] } });
    const { mismatches = [] } = await by(program, "api", more)({ id } as never);
    return mismatches;
  };
  const [first, ...more] = await settle(decision("night-shift"));
  expect(more).toEqual([]);
  expect(first).toMatchObject({ ask: mine.id });
  expect(first?.text).toEndWith(`\n\n${PARAGRAPH}`);
  expect(await settle(decision("night-shift"))).toEqual([]);
  expect((await settle({})).map(({ ask }) => ask)).toEqual([plain.id]);
  const list = () => program.client().call("listAsks", { query: { program: "other" } });
  expect((await list()).mismatches?.map(({ ask }) => ask)).toEqual([other.id]);
  expect((await list()).mismatches).toBeUndefined();
  const { out } = await program.parley(["decisions", "--mismatched"]);
  expect(out.split(PARAGRAPH)).toHaveLength(4);
  expect(out).toContain("program night-shift\n## AskUserQuestion Verification — MISMATCH\n");
  const listed = JSON.parse((await program.parley(["decisions", "--mismatched", "--json"])).out) as {
    mismatches: { id: string; told: object }[];
  };
  expect(listed.mismatches.map(({ id }) => id).toSorted()).toEqual([mine.id, other.id, plain.id].toSorted());
});

test("[DC34] a program that decides by command, and an agent inside its session, hear with their next command", async () => {
  const decide = (id: string, ...args: string[]) => program.parley(["answer", id, "--actions", FIRST, ...args]);
  const ask = async () => (await program.client("agent").call("createAsk", { body: { questions: [question()] } })).id;
  await mismatchAfter(program, by(program, "cli", { decision: { program: "bot" } }));
  expect((await decide(await ask())).err).not.toContain(PARAGRAPH);
  const json = JSON.parse((await decide(await ask(), "--as", "bot", "--json")).out) as { mismatches: string[] };
  expect(json.mismatches).toEqual([expect.stringContaining(PARAGRAPH)]);
  await mismatchAfter(program, by(program, "cli", { decision: {} }));
  expect((await decide(await ask())).err).toContain(PARAGRAPH);
  await mismatchAfter(program, by(program, "cli", { session: CLAUDE.CLAUDE_CODE_SESSION_ID }));
  const inside = await program.parley(["autopilot"], { env: CLAUDE });
  expect(inside.err).toContain(PARAGRAPH);
  expect((await program.parley(["autopilot"], { env: CLAUDE })).err).toBe("");
});

test("[DC35] a person who has not looked is notified, once, also over a restart", async () => {
  const events: { event: string; ask: { id: string; words?: string } }[] = [];
  using receiver = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      events.push((await request.json()) as (typeof events)[number]);
      return new Response("");
    },
  });
  mkdirSync(join(program.user, ".config/parley"), { recursive: true });
  writeFileSync(
    join(program.user, ".config/parley/config.toml"),
    `[notify]\nafter_seconds = 0\n[notify.webhook]\nurl = "${receiver.url.href}"\nsecret = "0123456789abcdef"\n`,
  );
  const { id } = await mismatchAfter(program, by(program, "link"));
  const told = () => events.filter(({ event }) => event === "mismatched");
  expect(await holds(() => told().length === 1)).toBe(true);
  expect(told()[0]?.ask).toMatchObject({ id, words: expect.stringContaining(PARAGRAPH) });
  // Who was told has it a moment before that is written down.
  const isKept = () => {
    using db = new Database(join(program.home, "notify.db"), { readonly: true });
    return db.query("SELECT 1 FROM sends WHERE ask = ? AND state = 'sent'").get(`mismatch ${id}`) !== null;
  };
  expect(await holds(isKept)).toBe(true);
  await program.terminate();
  await program.start();
  const asked = await mismatchAfter(program, by(program, "link"));
  expect(await holds(() => told().some(({ ask }) => ask.id === asked.id))).toBe(true);
  expect(told()).toHaveLength(2);
});
