import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AskView } from "../../src/protocol/view.ts";
import { createRepository } from "../git-repository.ts";
import { openStage, type Stage, type ToolQuestion } from "./stage.ts";

type Options = {
  version: string;
  config: string;
  /** What the agent can be made to ask, by name. */
  questions: Record<string, ToolQuestion>;
  /** Tools it can be made to call, by name. */
  tools?: Record<string, { tool: string; input: Record<string, unknown> }>;
  /** Of the project, committed. */
  files?: Record<string, string>;
  /** Commands of the person's own, `/gsd:<name>`. */
  commands?: Record<string, string>;
};
export type PilotStage = Stage & {
  /** Makes the agent ask; does not wait for its dialog, which may be gone before anybody has seen it. */
  tell(name: string, prompt?: string): Promise<AskView>;
  /** Lets the brain answer. */
  open(): void;
};

/** A brain that types its answer once it may. */
export const BRAIN = (folder: string) => `[autopilot.brains.b]\ntype = "command"\ncommand = ["${folder}/brain.sh"]\n`;
const REPLY = { actions: [{ action: "type", text: "Neither: write it down first" }], reason: "nothing fits" };

/** The real Claude Code, and a Parley with these settings. */
export async function openPilotStage(options: Options): Promise<PilotStage> {
  const { version, config, questions, tools = {}, files = {}, commands = {} } = options;
  const folder = mkdtempSync(join(tmpdir(), "parley-pilot-"));
  const settings = join(folder, "config.toml");
  writeFileSync(settings, `${config}\n${BRAIN(folder)}`);
  const wait = `while [ ! -e ${folder}/gate ]; do sleep 0.05; done`;
  writeFileSync(
    join(folder, "brain.sh"),
    `#!/bin/sh\ncat > ${folder}/told\n${wait}\necho '${JSON.stringify(REPLY)}'\n`,
  );
  chmodSync(join(folder, "brain.sh"), 0o700);
  const asking = Object.entries(questions).map(
    ([name, question]) => [name, { tool: "AskUserQuestion", input: { questions: [question] } }] as const,
  );
  const calls = [...asking, ...Object.entries(tools)];
  const script = Object.fromEntries(
    calls.map(([name, call]) => [name, [{ text: `About ${name}.` }, { ...call, id: `toolu_${name}` }]]),
  );
  const stage = await openStage({
    version,
    script,
    env: { PARLEY_CONFIG: settings },
    prepare({ home, project }) {
      if (Object.keys(files).length > 0) createRepository(project, files);
      mkdirSync(join(home, ".claude/commands/gsd"), { recursive: true });
      for (const [name, text] of Object.entries(commands))
        writeFileSync(join(home, ".claude/commands/gsd", `${name}.md`), `---\ndescription: ${name}\n---\n${text}\n`);
    },
  });
  await stage.program.start({ PARLEY_CONFIG: settings });
  return {
    ...stage,
    async tell(name, prompt = `SCENARIO:${name}`) {
      await stage.claude.prompt(prompt);
      const text = questions[name]?.question;
      return stage.find(({ questions: asked, kind }) =>
        text === undefined ? kind !== "question" : asked[0]?.text === text,
      );
    },
    open: () => writeFileSync(join(folder, "gate"), ""),
    async [Symbol.asyncDispose]() {
      await stage[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
