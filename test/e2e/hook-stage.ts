import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AskEvent } from "../../src/core/ask/event.ts";
import { writeLauncher } from "../../src/machine/program/launcher.ts";
import { makePrivateDir } from "../../src/machine/file/private-dir.ts";
import type { AskView } from "../../src/protocol/view.ts";
import { type Payload, payloadsOf, type Recording, recording } from "../recorded.ts";
import { UNTIL_HEARD } from "../patience.ts";
import { createProgram, holds, type Program, UNTIL_STARTED } from "./program.ts";

export type HookProcess = Bun.Subprocess<Buffer, "pipe", "pipe">;
export type Ended = { code: number; out: string; err: string };
type Change = { turn?: string; key?: string };
type HookOptions = { env?: Record<string, string>; args?: string[]; stdin?: string };

/** A session of an agent as Parley sees it: its hooks, started the way Claude Code starts them, and its transcript. */
export function createSession(program: Program, name: string, version = "2.1.325", env: Record<string, string> = {}) {
  const run: Recording = recording(version, name);
  const id = crypto.randomUUID();
  const cwd = join(program.root, "project");
  const transcript = join(program.root, `${id}.jsonl`);
  mkdirSync(cwd, { recursive: true });
  writeFileSync(transcript, "");
  const recordedId = String(run.hooks[0]?.["session_id"]);
  const client = program.client();

  function payload(event: string, nth = 0, { turn, key }: Change = {}): Payload {
    const found = payloadsOf(run, event)[nth];
    if (!found) throw new Error(`${name} has no ${event} ${nth}`);
    const here = { session_id: id, cwd, transcript_path: transcript };
    return { ...found, ...here, ...(turn && { prompt_id: turn }), ...(key && { tool_use_id: key }) };
  }

  const fire = (event: string, nth?: number, change?: Change) => hook(program, payload(event, nth, change), { env });

  return {
    id,
    transcript,
    payload,
    fire,
    /** Runs a hook that does not wait with a payload of one's own. */
    hook: async (changed: Payload) => ended(hook(program, changed, { env })),
    /** Runs a hook that does not wait. */
    tell: async (event: string, nth?: number, change?: Change) => ended(fire(event, nth, change)),
    /** What the agent has written down so far, up to the last line that `upTo` picks. */
    write(upTo: (line: string) => boolean = () => true): void {
      const lines = run.lines.slice(0, run.lines.findLastIndex((line) => upTo(line)) + 1);
      appendFileSync(transcript, lines.map((line) => `${line.replaceAll(recordedId, id)}\n`).join(""));
    },
    /** All of it, as another version of the agent might have written it down. */
    writeChanged(change: (line: Record<string, unknown>) => Record<string, unknown>): void {
      const lines = run.lines.map((line) => JSON.stringify(change(JSON.parse(line.replaceAll(recordedId, id)))));
      appendFileSync(transcript, lines.map((line) => `${line}\n`).join(""));
    },
    append: (line: string) => appendFileSync(transcript, `${line}\n`),
    async asks(): Promise<AskView[]> {
      return (await client.call("listAsks", { query: { state: "all", session: id } })).asks.toReversed();
    },
    /** The only Ask of this session, once it is so. */
    async ask(is: (ask: AskView) => boolean = () => true): Promise<AskView> {
      let asks: AskView[] = [];
      const found = await holds(async () => (asks = await this.asks()).length === 1 && is(asks[0]!));
      if (!found) throw new Error(`the asks are ${JSON.stringify(asks, null, 2)}`);
      return asks[0]!;
    },
  };
}
export type Session = ReturnType<typeof createSession>;

export async function settle(program: Program, ask: AskView, body: object): Promise<void> {
  await program.client().call("settleAsk", { id: ask.id, body: { surface: "api", ...body } as never });
}

export async function eventsOf(program: Program, ask: AskView): Promise<AskEvent[]> {
  const { events } = await program.client().call("readLog", { query: { ask: ask.id } });
  return events.map(({ data }) => data as AskEvent);
}

/** `[ -x P ] && exec P …; exit 0`, the command that `parley setup` registers, under a shell as Claude Code runs it. */
export function hook(
  program: Program,
  payload: Payload,
  { env = {}, args = [], stdin }: HookOptions = {},
): HookProcess {
  return Bun.spawn(["/bin/sh", "-c", command(program, payload.hook_event_name, args)], {
    cwd: program.user,
    env: { ...agentEnv(program), ...env },
    stdio: [Buffer.from(stdin ?? JSON.stringify(payload)), "pipe", "pipe"],
  });
}

export function command({ paths }: Program, event: string, args: readonly string[] = []): string {
  const [path, ...words] = [paths.program, "hook", event, ...args].map((word) => `'${word}'`);
  return `[ -x ${path} ] && exec ${[path, ...words].join(" ")}; exit 0`;
}

export const agentEnv = ({ user }: Program) => ({
  PATH: process.env["PATH"] ?? "",
  HOME: user,
  LANG: "C.UTF-8",
  PARLEY_PORT: "0",
  CLAUDECODE: "1",
  ...UNTIL_STARTED,
  ...UNTIL_HEARD,
});
/** With the few seconds that a hook has where nobody says otherwise: for what happens when they are over. */
export const HASTY = { PARLEY_HOOK_MS: "", PARLEY_START_MS: "" };

export async function ended(child: HookProcess): Promise<Ended> {
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, out, err };
}

export const SILENT: Ended = { code: 0, out: "", err: "" };
export const isHeld = (ask: AskView) => ask.reachable;
export const held = (count: number) => (ask: AskView) =>
  ask.reachable && ask.deliveries.filter(({ hold, released }) => hold && !released).length === count;

/** A program that was set up but whose daemon never ran. */
export async function createIdleProgram(): Promise<Program> {
  const program = createProgram();
  makePrivateDir(program.home);
  await writeLauncher(program.paths);
  return program;
}
