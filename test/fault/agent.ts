import { join } from "node:path";
import type { RecordItem } from "../../src/agents/capability/record.ts";
import { readLine } from "../../src/agents/claude-code/transcript.ts";
import { BUN_COMMAND, type Program } from "../e2e/program.ts";
import type { Facts, Result } from "./fake-record.ts";
import { PATIENCE_MS } from "../../src/lab/poll.ts";
import { wholeLines } from "../whole-file.ts";

/** What the fake agent is told when it starts. `program`: what its hooks call. */
export type Life = Facts & { program: string; journal: string; resume: boolean };
export type Manner = {
  turn: string;
  /** From the decision to the line in the transcript. */ recordMs: number;
  /** It is not written down before `record`. */ waitToRecord: boolean;
  /** The dialog's hook gets its payload, but no end of it while the agent lives. */ neverEndsInput: boolean;
};
export type Command =
  | ({ do: "ask"; key: string; question: string } & Manner)
  | { do: "answer"; key: string; label: string }
  | { do: "escape"; key: string }
  | { do: "record"; key: string };
/** What it says, on stdout and in its journal, which outlives it. */
export type Entry =
  | { event: "ready"; pid: number }
  | { event: "asked"; key: string; question: string }
  | { event: "hook"; hook: string; pid: number; key?: string }
  | { event: "output"; hook: string; pid: number; code: number; stdout: string; key?: string }
  | { event: "dialog"; key: string }
  | { event: "took"; key: string; result: Result }
  | { event: "recorded"; key: string }
  | { event: "done"; key: string }
  | { event: "told"; text: string };
type Heard<E extends Entry["event"]> = Entry & { event: E };

export type FakeAgent = {
  session: string;
  pid: number;
  /** Asks in a turn of its own; the key names the call. */
  ask(question: string, manner?: Partial<Manner>): string;
  /** Picks in its own dialog; too late when it has taken another decision. */
  answer(key: string, label: string): void;
  escape(key: string): void;
  record(key: string): void;
  /** The first entry of that kind that fits, now or later; undefined when the agent ended without. */
  heard<E extends Entry["event"]>(event: E, fits?: (entry: Heard<E>) => boolean): Promise<Heard<E> | undefined>;
  /** The hooks that run now. */
  hooks(): number[];
  /** All that happened in this and its earlier lives; what it `recorded` and was `told` is what its transcript says. */
  journal(): Entry[];
  isGone(): boolean;
  /** Sends the signal and waits until it is gone. */
  kill(signal: "SIGKILL" | "SIGTERM"): Promise<void>;
  /** Starts it again on the same session. */
  resume(): Promise<FakeAgent>;
};

let agents = 0;

export async function startAgent(program: Program, version = "2.1.325", earlier?: Life): Promise<FakeAgent> {
  const session = earlier?.session ?? crypto.randomUUID();
  const life: Life = earlier
    ? { ...earlier, resume: true }
    : {
        version,
        session,
        cwd: program.user,
        program: program.paths.program,
        transcript: join(program.user, ".claude/projects/project", `${session}.jsonl`),
        journal: join(program.root, `agent-${++agents}.jsonl`),
        resume: false,
      };
  const child = Bun.spawn([...BUN_COMMAND.slice(0, -1), join(import.meta.dir, "fake-agent.ts"), JSON.stringify(life)], {
    cwd: program.user,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: program.user,
      LANG: "C.UTF-8",
      PARLEY_HOME: program.home,
      PARLEY_PORT: "0",
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const seen: Entry[] = [];
  const waiting = new Set<() => void>();
  let gone = false;
  const wake = () => waiting.forEach((look) => look());
  void Promise.all([listen(), child.exited]).then(() => ((gone = true), wake()));
  const agent: FakeAgent = {
    session,
    pid: child.pid,
    ask(question, manner) {
      const key = `toolu_${crypto.randomUUID().slice(0, 8)}`;
      const usual = { turn: crypto.randomUUID(), recordMs: 150, waitToRecord: false, neverEndsInput: false };
      tell({ do: "ask", key, question, ...usual, ...manner });
      return key;
    },
    answer: (key, label) => tell({ do: "answer", key, label }),
    escape: (key) => tell({ do: "escape", key }),
    record: (key) => tell({ do: "record", key }),
    heard,
    hooks() {
      const ended = new Set(seen.flatMap((entry) => (entry.event === "output" ? [entry.pid] : [])));
      return seen.flatMap((entry) => (entry.event === "hook" && !ended.has(entry.pid) ? [entry.pid] : []));
    },
    journal: () => journalOf(life),
    isGone: () => gone,
    async kill(signal) {
      child.kill(signal);
      await child.exited;
    },
    resume: () => startAgent(program, version, life),
  };
  if (!(await heard("ready"))) throw new Error("the fake agent did not start");
  return agent;

  async function listen(): Promise<void> {
    let rest = "";
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      seen.push(...lines.map((line) => JSON.parse(line) as Entry));
      wake();
    }
  }

  function tell(command: Command): void {
    if (gone) return;
    try {
      void child.stdin.write(`${JSON.stringify(command)}\n`);
      void Promise.resolve(child.stdin.flush()).catch(() => undefined);
    } catch {
      // It was killed, and we have not heard of it yet.
    }
  }

  function heard<E extends Entry["event"]>(event: E, fits: (entry: Heard<E>) => boolean = () => true) {
    const { promise, resolve, reject } = Promise.withResolvers<Heard<E> | undefined>();
    const soFar = () => seen.map((entry) => JSON.stringify(entry)).join("\n");
    const timer = setTimeout(
      () => reject(new Error(`the fake agent never said ${event}, only:\n${soFar()}`)),
      PATIENCE_MS,
    );
    const look = () => {
      const found = seen.find((entry): entry is Heard<E> => entry.event === event && fits(entry as Heard<E>));
      if (found || gone) resolve(found);
    };
    waiting.add(look);
    look();
    return promise.finally(() => (clearTimeout(timer), waiting.delete(look)));
  }
}

/** Killed between two writes, it has said less than it wrote down: the transcript is its word. */
export function journalOf({ journal, transcript }: Life): Entry[] {
  const said = wholeLines(journal).map((line) => JSON.parse(line) as Entry);
  const wrote = wholeLines(transcript).flatMap((line) => readLine(line));
  const interrupted = (item: RecordItem & { type: "result" }) => item.read([]).type === "interrupted";
  return [
    ...said.filter(({ event }) => event !== "recorded" && event !== "told"),
    ...wrote.flatMap((item): Entry[] => {
      if (item.type === "context") return [{ event: "told", text: item.text }];
      return item.type === "result" && !interrupted(item) ? [{ event: "recorded", key: item.key }] : [];
    }),
  ];
}
