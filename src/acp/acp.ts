import { existsSync } from "node:fs";
import { type ChildProcess, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { createLink, type LinkReply, type LinkRequest } from "../client/link.ts";
import { safeLine } from "../core/text/text.ts";
import { homeDir, pathsIn } from "../machine/home.ts";
import { pause } from "../machine/time/pause.ts";
import { type Message, messageIn } from "./json-rpc.ts";
import { createPieces } from "./pieces.ts";
import { createTraffic, type Reply, type Told } from "./traffic.ts";

/** A longer line goes through unread. */
const MOST_LINE = 8 * 1024 * 1024;
const START_MS = 5000;
const DRAIN_MS = 2000;
const PASSED_ON = ["SIGTERM", "SIGINT", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGWINCH", "SIGCONT"] as const;
/** As a shell says it. */
const [NOT_FOUND, NOT_RUN] = [127, 126];

/**
 * Stands between an editor and the agent it starts: every byte goes through as it came, and what the agent asks can be
 * answered in Parley's inbox too. Contract: whatever breaks on Parley's side, editor and agent go on as if it were not there;
 * the result is how the agent ended.
 */
export async function acp(command: readonly string[], env: Record<string, string | undefined>): Promise<number> {
  for (const event of ["uncaughtException", "unhandledRejection"]) process.on(event, ignore);
  const [program = "", ...args] = command;
  const { PARLEY_PARENT: _launcher, ...given } = env;
  // Its hooks stand aside: this end says what it asks.
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"], env: { ...given, PARLEY_ACP: "1" } });
  const started = await new Promise<Error | undefined>((resolve) => {
    child.once("spawn", () => resolve(undefined));
    child.once("error", resolve);
  });
  if (started || !child.stdin || !child.stdout) return notStarted(program, started);
  for (const stream of [child.stdin, process.stdout]) stream.on("error", ignore);
  const ended = endOf(child);
  for (const signal of PASSED_ON) process.on(signal, () => void child.kill(signal));
  const proxy = createProxy(child.pid ?? 0, env, { agent: child.stdin, editor: process.stdout });
  const fromAgent = pump(child.stdout, proxy.fromAgent);
  void pump(process.stdin, proxy.fromEditor).then(() => child.stdin?.end());
  const how = await ended;
  // Something that it started may hold its output open for ever.
  await Promise.race([fromAgent, pause(DRAIN_MS)]);
  proxy.stop();
  return finish(how);
}

/** Of a task: which one it is, and where its agent writes its sessions down. */
function taskIn({ PARLEY_TASK: task, PARLEY_ACP_RECORD: record }: Record<string, string | undefined>) {
  return { facts: task ? { task } : {}, ...(task && record && { record }) };
}

const endOf = (child: ChildProcess): Promise<Ended> =>
  new Promise((resolve) => child.once("exit", (code, signal) => resolve({ code, signal })));

type Ended = { code: number | null; signal: NodeJS.Signals | null };
type Way = { push(chunk: Buffer): Promise<void>; end(): Promise<void> };

function createProxy(pid: number, env: Record<string, string | undefined>, to: { agent: Writable; editor: Writable }) {
  const traffic = createTraffic(crypto.randomUUID());
  const paths = pathsIn(homeDir(env));
  const [spoken, heard] = [createPieces(MOST_LINE), createPieces(MOST_LINE)];
  /** Each waits for the end of a line that is half through. */
  const [notices, replies]: [Buffer[], Buffer[]] = [[], []];
  const link = createLink({
    paths,
    hello: () => ({ agent: "acp", pid, ...taskIn(env) }),
    answer,
    async wake() {
      const { startDaemon } = await import("../client/start-daemon.ts");
      await startDaemon(paths, {
        patienceMs: START_MS,
        ...(existsSync(paths.program) && { command: [paths.program] }),
      });
    },
  });
  // First of all the agent starts.
  setTimeout(link.start, 0);

  const tell = (all: readonly Told[]) => {
    for (const told of all) link.event(told, told["type"] === "asked");
  };

  function answer({ method, path, body }: LinkRequest): LinkReply {
    if (method === "GET") return { status: 200, body: traffic.open() };
    const lines = traffic.answer(path, body as Reply);
    if (!lines) return { status: 409, body: "somebody was faster" };
    replies.push(...lines.toAgent);
    notices.push(...lines.toEditor);
    putIn();
    return { status: 200, body: null };
  }

  function putIn(): void {
    if (!heard.isCut()) for (const line of replies.splice(0)) void written(to.agent, line);
    if (spoken.isBetween()) for (const line of notices.splice(0)) void written(to.editor, line);
  }

  return {
    /** Passed on before it is looked at. */
    fromAgent: {
      async push(chunk) {
        const pieces = spoken.push(chunk);
        const out = written(to.editor, chunk);
        for (const { bytes, isLine } of pieces) if (isLine) guarded(() => look(messageIn(bytes)));
        putIn();
        await out;
      },
      end: async () => undefined,
    } satisfies Way,
    /** Line by line: one that comes too late goes no further. */
    fromEditor: {
      async push(chunk) {
        const pieces = heard.push(chunk);
        const out = pieces.filter(({ bytes, isLine }) => !isLine || isWanted(bytes)).map(({ bytes }) => bytes);
        if (out.length > 0) await written(to.agent, Buffer.concat(out));
        putIn();
      },
      async end() {
        for (const { bytes } of heard.rest()) await written(to.agent, bytes);
      },
    } satisfies Way,
    stop: link.stop,
  };

  function look(message: Message | undefined): void {
    if (message) tell(traffic.fromAgent(message));
  }

  function isWanted(line: Buffer): boolean {
    let isPassed = true;
    guarded(() => {
      const message = messageIn(line);
      const looked = message && traffic.fromEditor(message);
      isPassed = looked?.isPassed ?? true;
      tell(looked?.told ?? []);
    });
    return isPassed;
  }
}

function guarded(look: () => void): void {
  try {
    look();
  } catch {
    // It has been passed on, or will be: that is all that matters.
  }
}

async function pump(from: Readable, way: Way): Promise<void> {
  try {
    for await (const chunk of from) await way.push(chunk as Buffer);
  } catch {
    // The other side is gone.
  }
  await way.end();
}

/** Returns when there is room again; also when nobody reads any more. */
function written(to: Writable, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (to.destroyed || to.writableEnded) return resolve();
    to.write(bytes, () => resolve());
  });
}

function notStarted(program: string, error: NodeJS.ErrnoException | undefined): number {
  const words = `parley acp: ${program} could not be started: ${error?.message ?? "no pipes"}`;
  process.stderr.write(`${safeLine(words, { max: 1000 })}\n`);
  return error?.code === "ENOENT" ? NOT_FOUND : NOT_RUN;
}

/** Ends as the agent ended, also by its signal. */
async function finish({ code, signal }: Ended): Promise<number> {
  if (signal === null) return code ?? 0;
  for (const name of PASSED_ON) process.removeAllListeners(name);
  process.kill(process.pid, signal);
  // One that does not end a process.
  await new Promise((resolve) => setTimeout(resolve, 1000));
  return 128;
}

const ignore = () => undefined;
