import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AskView } from "../../src/protocol/view.ts";
import type { Session } from "./hook-stage.ts";
import { createProgram, holds, type Program } from "./program.ts";

type Written = { question: string; header: string; options: { label: string }[] };
export type Pilot = ReturnType<typeof createPilot>;
type Asked = {
  question?: string;
  header?: string;
  labels?: readonly string[];
  multiSelect?: boolean;
  session?: string;
  project?: string;
  cwd?: string;
  command?: string;
};

/** A rule that needs no more to fire than the header. */
export const RULE = `
[[autopilot.rules]]
name = "first"
match = { header = "Choice" }
choose = { label = "List" }
`;

/** A Parley with settings of its own, asked over its API. */
export function createPilot(config: string, program: Program = createProgram()) {
  const file = join(program.user, ".config/parley/config.toml");
  const project = join(program.user, "shop");
  mkdirSync(dirname(file), { recursive: true });
  mkdirSync(join(project, ".git"), { recursive: true });
  configure(config);

  function configure(text: string): void {
    writeFileSync(file, text);
  }

  async function look(id: string): Promise<AskView> {
    return program.client().call("getAsk", { id });
  }

  return {
    program,
    project,
    configure,
    look,
    async ask({ question = "Which layout?", header = "Choice", labels = ["Grid", "List"], ...more }: Asked = {}) {
      const { multiSelect = false, session, cwd = project, project: name = "shop", command } = more;
      const options = labels.map((label) => ({ label, description: `What ${label} means` }));
      const origin = {
        agent: "script",
        cwd,
        project: name,
        ...(session !== undefined && { session }),
        ...(command !== undefined && { command }),
      };
      const questions = [{ question, header, multiSelect, options }];
      return (await program.client("agent").call("createAsk", { body: { questions, origin } })).id;
    },
    /** The Ask, once it is so. */
    async becomes(id: string, is: (ask: AskView) => boolean): Promise<AskView> {
      let last: AskView | undefined;
      if (await holds(async () => is((last = await look(id))))) return last as AskView;
      throw new Error(`it stays ${JSON.stringify(last, null, 1)}`);
    },
    settles(id: string, ...answer: string[]) {
      return program.parley(["answer", id, ...answer, "--only"]);
    },
    async states(id: string): Promise<string[]> {
      const { events } = await program.client().call("readLog", { query: { ask: id, limit: 1000 } });
      return events.map(({ type, data }) => (type === "ask.autopilot" ? String(data["state"]) : type));
    },
    /**
     * A program that decides: it says `reply` once the file `gate` is there, and keeps what it was told. Its settings are
     * what comes back.
     */
    brain(name: string, reply: unknown, { gated = false } = {}) {
      const path = (what: string) => join(program.root, `${name}.${what}`);
      const wait = gated ? `while [ ! -e ${path("gate")} ]; do sleep 0.05; done\n` : "";
      const said = typeof reply === "string" ? reply : JSON.stringify(reply);
      writeFileSync(path("reply"), said);
      writeFileSync(
        path("sh"),
        `#!/bin/sh\ncat >> ${path("told")}\necho >> ${path("told")}\n${wait}cat ${path("reply")}\n`,
      );
      chmodSync(path("sh"), 0o700);
      return {
        toml: `[autopilot.brains.${name}]\ntype = "command"\ncommand = ["${path("sh")}"]\n`,
        open: () => writeFileSync(path("gate"), ""),
        /** What it was told each time, once all of it is there. */
        told: () => toldIn(path("told")),
      };
    },
    /** The person answers this question of a session's first, by its label, while nobody else may. */
    async answerBefore(session: Session, label: string): Promise<void> {
      const { questions } = session.payload("PreToolUse")["tool_input"] as { questions: Written[] };
      const [asked] = questions;
      if (!asked) throw new Error("it asks nothing");
      const { question, header, options } = asked;
      const labels = options.map((each) => each.label);
      await program.parley(["autopilot", "pause"]);
      const id = await this.ask({ question, header, labels, project: "project", cwd: join(program.root, "project") });
      await this.settles(id, label);
      await program.parley(["autopilot", "resume"]);
    },
    /** Two that agree on the option of this label, wherever it stands, by what the person answered to it before. */
    agreeing(name: string, label: string) {
      const path = (what: string) => join(program.root, `${name}.${what}`);
      const bun = `${process.execPath} ${join(import.meta.dirname, "verdict-reply.ts")} '${label}'`;
      writeFileSync(path("sh"), `#!/bin/sh\ntee -a ${path("told")} | ${bun}\n`);
      chmodSync(path("sh"), 0o700);
      const brain = (which: string, ...more: string[]) =>
        `[autopilot.brains.${which}]\ntype = "command"\ncommand = ["${path("sh")}", "${which}"]\n${more.join("")}`;
      return {
        toml: brain(name, `second = "${name}2"\n`) + brain(`${name}2`),
        told: () => toldIn(path("told")),
      };
    },
    dispose: () => program.dispose(),
  };
}

export type Told = {
  step: "person" | "answer" | "told";
  message: string;
  corrections: string[];
  conversation?: string;
};

function toldIn(file: string): Told[] {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const whole = text.slice(0, text.lastIndexOf("\n") + 1).split("\n");
  return whole.filter(Boolean).map((line) => JSON.parse(line) as Told);
}

export const isSettled = ({ outcome }: AskView) => outcome !== undefined;
export const stateIs =
  (state: string) =>
  ({ autopilot }: AskView): boolean =>
    autopilot?.state === state;
