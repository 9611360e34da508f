import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { AskView } from "../../src/protocol/view.ts";
import { type Editor, openEditor } from "../acp/editor.ts";
import { eventually, TEST_MS, UNTIL_RECEIVED } from "../patience.ts";
import { wholeLines } from "../whole-file.ts";
import { COMMAND, createProgram, type Program } from "./program.ts";

type Json = Record<string, unknown>;
const stub = [join(import.meta.dir, "../../node_modules/.bin/bun"), join(import.meta.dir, "../acp/stub-agent.ts")];
const options = [
  { optionId: "always", name: "Always", kind: "allow_always" },
  { optionId: "once", name: "Once", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
];
const wants = (id: unknown, sessionId: string, command: string): Json => ({
  id,
  method: "session/request_permission",
  params: {
    sessionId,
    toolCall: { toolCallId: `call-${String(id)}`, kind: "execute", rawInput: { command } },
    options,
  },
});
const did = (sessionId: string, id: unknown, status: string): Json => ({
  method: "session/update",
  params: { sessionId, update: { sessionUpdate: "tool_call_update", toolCallId: `call-${String(id)}`, status } },
});
const chose = (optionId: string) => ({ outcome: { outcome: "selected", optionId } });

describe("a question", () => {
  let program: Program;
  beforeAll(async () => {
    program = createProgram();
    await program.start();
  });
  afterAll(() => program.dispose());

  type Scene = Editor & { session: string; heard(): Json[]; play(...steps: (Json | string)[]): Promise<Json> };
  async function scene(): Promise<Scene> {
    const file = join(program.user, `heard-${crypto.randomUUID()}`);
    const env = { PATH: process.env["PATH"] ?? "", HOME: program.user, PARLEY_HOME: program.home, PARLEY_PORT: "0" };
    const command = [...COMMAND, "acp", "--", ...stub];
    const editor = openEditor({ cwd: program.user, env: { ...env, STUB_HEARD: file }, command });
    const session = await editor.begin();
    const heard = () => wholeLines(file).map((line) => JSON.parse(line) as Json);
    return { ...editor, session, heard, play: (...steps) => editor.prompt(session, JSON.stringify(steps)) };
  }

  const askOf = (session: string, ready: (ask: AskView) => boolean) =>
    eventually(async () => {
      const { asks } = await program.client("human").call("listAsks", { query: { state: "all", limit: 500 } });
      const found = asks.find((ask) => ask.origin.session === session && ready(ask));
      if (!found) throw new Error(JSON.stringify(asks.filter((ask) => ask.origin.session === session)));
      return found;
    });
  const answer = async (id: string, pick: string) =>
    expect(await program.parley(["answer", id, pick], { env: { PARLEY_RECEIPT_MS: "1" } })).toMatchObject({ code: 0 });
  const repliesTo = (scene: Scene, id: unknown) => scene.heard().filter((each) => each["id"] === id && !each["method"]);

  test(
    "[AC20] answered in Parley: the agent has the answer, the editor takes its dialog back, and its late reply goes nowhere",
    async () => {
      await using at = await scene();
      const played = at.play(
        wants(7, at.session, "make"),
        "reply",
        did(at.session, 7, "completed"),
        wants("x", at.session, "ls"),
        "reply",
      );
      await at.asks();
      const ask = await askOf(at.session, ({ reachable }) => reachable);
      expect(ask).toMatchObject({ kind: "approval", origin: { agent: "acp", cwd: program.user } });
      expect(ask.questions[0]?.options.map(({ label }) => label)).toEqual(["Once", "Always", "No", "Deny and stop"]);
      const told = await program.parley(["answer", ask.id, "1"], { env: UNTIL_RECEIVED });
      expect(told.out).toContain('received "Once"');
      await at.asks(1);
      expect(at.cancelled).toEqual([7]);
      // The editor was already on its way; then it answers what is asked next.
      at.send({ id: 7, result: chose("no") });
      at.send({ id: "x", result: chose("always") });
      expect(await played).toEqual({ stopReason: "end_turn" });
      expect(repliesTo(at, 7)).toEqual([{ jsonrpc: "2.0", id: 7, result: chose("once") }]);
      expect(repliesTo(at, "x")).toHaveLength(1);
      expect((await askOf(at.session, ({ state }) => state === "verified")).id).toBe(ask.id);
      const other = await askOf(at.session, ({ state }) => state === "closed");
      expect(other.outcome).toMatchObject({ type: "answered-elsewhere", answers: [{ picks: [1] }] });
      expect(await at.close()).toBe(0);
    },
    TEST_MS,
  );

  test(
    "[AC21] taken back by the agent, or left behind by its turn, it is withdrawn; denied and stopped, the turn is told so",
    async () => {
      await using at = await scene();
      const cancel = { method: "$/cancel_request", params: { requestId: 1 } };
      const played = at.play(wants(1, at.session, "one"), wants(2, at.session, "two"), "reply", cancel, "reply");
      await at.asks(1);
      const one = await askOf(at.session, (ask) => ask.questions[0]?.title === "$ one" && ask.reachable);
      const two = await askOf(at.session, (ask) => ask.questions[0]?.title === "$ two" && ask.reachable);
      await answer(two.id, "4");
      await askOf(at.session, ({ id, outcome }) => id === one.id && outcome?.type === "withdrawn");
      at.send({ id: 1, result: chose("no") });
      await played;
      expect(at.heard().slice(-3)).toMatchObject([
        { id: 2, result: { outcome: { outcome: "cancelled" } } },
        { method: "session/cancel", params: { sessionId: at.session } },
        { id: 1 },
      ]);
      await at.play(wants(3, at.session, "three"));
      const three = await askOf(at.session, (ask) => ask.questions[0]?.title === "$ three" && ask.state === "closed");
      expect(three.outcome).toMatchObject({ type: "withdrawn", reason: "moved-on" });
    },
    TEST_MS,
  );

  test(
    "[AC22] a daemon that is killed breaks nothing; the next one asks again what is open, and its answer counts",
    async () => {
      await using at = await scene();
      const played = at.play(wants(1, at.session, "first"), "reply", wants(2, at.session, "second"), "reply");
      await at.asks();
      await askOf(at.session, ({ reachable }) => reachable);
      await program.kill9();
      at.send({ id: 1, result: chose("once") });
      await at.asks(1);
      await program.start();
      const second = await askOf(at.session, (ask) => ask.questions[0]?.title === "$ second" && ask.reachable);
      await answer(second.id, "3");
      expect(await played).toEqual({ stopReason: "end_turn" });
      expect(repliesTo(at, 2)).toEqual([{ jsonrpc: "2.0", id: 2, result: chose("no") }]);
      // What the editor answered meanwhile is not asked any more.
      await askOf(at.session, (ask) => ask.questions[0]?.title === "$ first" && ask.state === "closed");
    },
    TEST_MS,
  );

  test(
    "[AC27] a daemon that does not answer any more keeps nobody waiting",
    async () => {
      await using at = await scene();
      await at.play();
      const { pid } = program.registration().process;
      process.kill(pid, "SIGSTOP");
      try {
        const played = at.play(wants(1, at.session, "make"), "reply", did(at.session, 1, "completed"));
        await at.asks();
        at.send({ id: 1, result: chose("once") });
        expect(await played).toEqual({ stopReason: "end_turn" });
        expect(await at.close()).toBe(0);
      } finally {
        process.kill(pid, "SIGCONT");
      }
    },
    TEST_MS,
  );

  test(
    "[AC23] its agent killed, a question is withdrawn, and the editor sees how it ended",
    async () => {
      await using at = await scene();
      void at.play(wants(1, at.session, "make"), "reply").catch(() => undefined);
      await at.asks();
      await askOf(at.session, ({ reachable }) => reachable);
      process.kill(Number(at.session.split("-")[1]), "SIGKILL");
      expect(await at.child.exited).toBe(137);
      const ask = await askOf(at.session, ({ state }) => state === "closed");
      expect(ask.outcome).toMatchObject({ type: "withdrawn", reason: "agent-exited" });
    },
    TEST_MS,
  );

  test(
    "[AC24] a hook of the same agent stands aside: one question, one Ask",
    async () => {
      const payload = {
        session_id: "hooked",
        hook_event_name: "PermissionRequest",
        cwd: program.user,
        tool_name: "Bash",
        tool_input: { command: "ls" },
      };
      const hook = (env: Record<string, string>) =>
        program.parley(["hook", "claude-code", "PermissionRequest"], { env, stdin: JSON.stringify(payload) });
      expect(await hook({ PARLEY_ACP: "1" })).toEqual({ code: 0, out: "", err: "" });
      const { asks } = await program.client("human").call("listAsks", { query: { state: "all", limit: 500 } });
      expect(asks.filter(({ origin }) => origin.session === "hooked")).toEqual([]);
    },
    TEST_MS,
  );
});

describe("between them", () => {
  /** Nobody listens there, and nobody may be started. */
  const alone = { PATH: process.env["PATH"] ?? "", HOME: "/dev/null", PARLEY_HOME: "/dev/null/parley" };
  const run = (...command: string[]) =>
    Bun.spawn([...COMMAND, "acp", "--", ...command], { env: alone, stdio: ["pipe", "pipe", "pipe"] });

  test(
    "[AC25] every byte goes through as it came, both ways: no text, huge lines, half lines, many at once",
    async () => {
      const line = '  {"jsonrpc" : "2.0","_x":1,  "method":"private/thing","params":{"_meta":{"b":1,"a":[ ]}}}\r\n';
      const reply = '{"result":{"outcome":{}},"id":12345678901234567890}\n';
      const parts = [line, "not json\n", reply, "\n\n", Buffer.from([0, 255, 10, 128]), "é😀\n"].map((part) =>
        Buffer.from(part as string),
      );
      const huge = Buffer.concat([Buffer.alloc(20 * 1024 * 1024, "x"), Buffer.from("\n")]);
      const stream = Buffer.concat([...parts, huge, ...parts, Buffer.from("no end")]);
      const child = run("cat");
      const back = child.stdout.bytes();
      for (let at = 0, size = 1; at < stream.length; at += size, size = Math.min(size * 3 + 1, 1_000_000)) {
        void child.stdin.write(stream.subarray(at, at + size));
        await child.stdin.flush();
      }
      await child.stdin.end();
      const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
      expect(hash(await back)).toBe(hash(stream));
      expect(await child.exited).toBe(0);
    },
    TEST_MS,
  );

  test(
    "[AC26] how the agent ends, what it says on the side and the signals it gets are the same as without Parley",
    async () => {
      const ended = run("sh", "-c", "printf out; printf err >&2; exit 7");
      expect([await ended.stdout.text(), await ended.stderr.text(), await ended.exited]).toEqual(["out", "err", 7]);
      const killed = run("sh", "-c", "kill -9 $$");
      expect([await killed.exited, killed.signalCode]).toEqual([137, "SIGKILL"]);
      const missing = run("no-such-agent-anywhere");
      expect([await missing.exited, await missing.stderr.text()]).toEqual([
        127,
        expect.stringContaining("no-such-agent"),
      ]);
      const told = run("sh", "-c", 'trap "echo told; exit 3" TERM; echo ready; while read line; do :; done');
      const reader = told.stdout.getReader();
      await reader.read();
      told.kill("SIGTERM");
      expect(new TextDecoder().decode((await reader.read()).value)).toBe("told\n");
      expect(await told.exited).toBe(3);
    },
    TEST_MS,
  );
});
