import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { containerFolder } from "../../src/machine/process/containers.ts";
import { CONTRACT } from "../../src/protocol/contract.ts";
import { eventually, TEST_MS } from "../patience.ts";
import { createProgram, type Program } from "./program.ts";

let program: Program;
beforeEach(() => void (program = createProgram()));
afterEach(() => program.dispose());

const TAKEN = new Set("health caller hookCall hookAck hookRelease createAsk receiveAnswer withdrawAsk".split(" "));
const folder = () => containerFolder(program.home, "dev");
const input = {
  questions: [{ question: "Which?", header: "Q", multiSelect: false, options: [{ label: "A" }, { label: "B" }] }],
};
const payload = (session: string, more: object = {}) => ({
  hook_event_name: "PreToolUse",
  session_id: session,
  cwd: "/workspace",
  transcript_path: "/root/.claude/projects/x/s.jsonl",
  tool_name: "AskUserQuestion",
  tool_use_id: `toolu_${session}`,
  tool_input: input,
  ...more,
});
const hookCall = (session: string, more: object = {}) => ({
  agent: "claude-code",
  call: `call ${session}`,
  waits: false,
  payload: payload(session, more),
  facts: { pid: process.pid, started: "1", tmux: "/tmp/tmux,1,0", pane: "%1" },
});

type How = { method?: string; body?: unknown; token?: string; port?: boolean };
async function send(path: string, { method = "POST", body, token = "", port = false }: How) {
  const at = port ? program.url() : "http://parley";
  const response = await fetch(`${at}${path}`, {
    ...(port ? {} : { unix: join(folder(), "daemon.sock") }),
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", host: "host.docker.internal" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

const made = async (...args: string[]) => {
  const ran = await program.parley(["container", "dev", ...args], { env: { PARLEY_START_MS: "60000" } });
  expect([ran.code, ran.err]).toEqual([0, ""]);
  return ran.out;
};
const asks = async () => (await program.client().call("listAsks", { query: { state: "all" } })).asks;

test(
  "[CY4] the door of a container takes hooks and questions of its own sessions, whatever token comes; it holds no token of Parley's",
  async () => {
    await program.start();
    expect(await made()).toContain(`-v ${folder()}:/run/parley:ro`);
    expect(readdirSync(folder()).toSorted()).toEqual(["bin", "daemon.sock", "token"]);
    expect(statSync(join(folder(), "token")).mode & 0o777).toBe(0o600);
    const own = readFileSync(join(folder(), "token"), "utf8").trim();
    const { human, agent } = program.tokens();
    expect([human, agent]).not.toContain(own);

    for (const how of [{ token: human }, { token: own, port: true }])
      for (const [name, { method, path }] of Object.entries(CONTRACT)) {
        if (TAKEN.has(name)) continue;
        const { status } = await send(path.replace(":id", "x"), {
          ...how,
          method,
          ...(method !== "GET" && { body: {} }),
        });
        expect([name, status]).toEqual([name, 403]);
      }
    // Nobody comes in over the port as a hook with a token of Parley's own, or with none.
    for (const token of [human, agent, ""])
      expect((await send("/hook/call", { body: hookCall("s1"), token, port: true })).status).toBe(403);

    // A session that was seen here is none of the container's.
    await program.parley(["hook", "claude-code", "PreToolUse"], { stdin: JSON.stringify(payload("outside")) });
    const [ours] = await asks();
    expect((await send("/hook/call", { body: hookCall("outside") })).status).toBe(403);
    const release = { call: "x", reason: "signal", handed: [{ ask: ours?.id, key: "k", channel: "race" }] };
    expect((await send("/hook/release", { body: release })).status).toBe(403);
    expect((await send(`/api/asks/${ours?.id}/answer`, { method: "GET" })).status).not.toBe(200);

    // Over the network as by the socket; no number, pane or path of its own is believed here.
    expect((await send("/hook/call", { body: hookCall("s1"), token: own, port: true })).status).toBe(200);
    const mine = (await asks()).find(({ origin }) => origin.session === "s1");
    expect(mine).toMatchObject({
      agentTitle: "Claude Code (in container dev)",
      origin: { container: "dev", project: "dev:workspace" },
    });
    expect([mine?.origin.cwd, mine?.origin.pane, mine?.origin.recordSize]).toEqual([undefined, undefined, undefined]);
    const session = (await program.client().call("listSessions")).sessions.find(({ id }) => id === "s1");
    expect([session?.process, session?.transcript, session?.pane]).toEqual([undefined, undefined, undefined]);

    expect((await program.parley(["container", "dev", "--remove"])).out).toBe("✓ container dev no longer asks here\n");
    await eventually(() => expect(existsSync(folder())).toBe(false));
    expect((await send("/hook/call", { body: hookCall("s2"), token: own, port: true })).status).toBe(403);
  },
  TEST_MS,
);

test(
  "[CY5] a path in a container is looked at where the person said it is shared, never through a link out of that",
  async () => {
    const [project, records] = [join(program.user, "app"), join(program.user, "records")];
    for (const path of [project, records]) mkdirSync(path);
    writeFileSync(join(records, "s.jsonl"), "");
    writeFileSync(join(program.user, "secret.jsonl"), "");
    symlinkSync(join(program.user, "secret.jsonl"), join(records, "link.jsonl"));
    await program.start();
    await made("--folder", `${project}:/workspace`, "--folder", `${records}:/root/.claude`);
    const transcripts = { s1: "s.jsonl", s2: "link.jsonl", s3: "../secret.jsonl", s4: "none.jsonl" };
    for (const [session, name] of Object.entries(transcripts))
      await send("/hook/call", { body: hookCall(session, { transcript_path: `/root/.claude/${name}` }) });
    const { sessions } = await program.client().call("listSessions");
    const seen = Object.fromEntries(sessions.map(({ id, transcript }) => [id, transcript]));
    expect(seen).toEqual({
      s1: join(records, "s.jsonl"),
      s2: undefined,
      s3: undefined,
      s4: join(records, "none.jsonl"),
    });
    expect(sessions.every(({ cwd, project: name }) => cwd === project && name === "app")).toBe(true);
  },
  TEST_MS,
);
