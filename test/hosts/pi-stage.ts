import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createScriptedModel, type Say, type ScriptedModel } from "../../src/lab/model.ts";
import { createTmux, type Tmux } from "../../src/lab/tmux.ts";
import { createProgram, type Program } from "../e2e/program.ts";
import { wholeLines } from "../whole-file.ts";
import { PI, type Scratch } from "./scratch.ts";

export type PiStage = {
  program: Program;
  model: ScriptedModel;
  tmux: Tmux;
  /** pi in a terminal, ready for a prompt. */
  open(more?: string[]): Promise<void>;
  prompt(text: string): Promise<void>;
  /** pi without a terminal, until it ends. */
  print(text: string): Bun.Subprocess<"ignore", "pipe", "pipe">;
  /** What pi keeps of tool results in its session. */
  results(): { toolCallId: string; isError: boolean; details: unknown }[];
  [Symbol.asyncDispose](): Promise<void>;
};

/** The real pi with the extension from the packed library, a scripted model and a home of its own. */
export async function createPiStage(scratch: Scratch, script: Record<string, Say[]>): Promise<PiStage> {
  const program = createProgram();
  const model = createScriptedModel({ script });
  const tmux = await createTmux();
  const agentDir = join(program.user, ".pi/agent");
  mkdirSync(agentDir, { recursive: true });
  const lab = { baseUrl: model.url, api: "anthropic-messages", apiKey: "dummy-local", models: [{ id: "scripted" }] };
  writeFileSync(join(agentDir, "models.json"), JSON.stringify({ providers: { lab } }));
  const project = join(program.user, "project");
  mkdirSync(project);
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: program.user,
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    PI_OFFLINE: "1",
    PARLEY_HOME: program.home,
  };
  const extension = join(scratch.dir, "node_modules/parley-inbox/dist/library/tool/pi.js");
  const command = [Bun.which("node") ?? "node", PI, "--offline", "--provider", "lab", "--model", "scripted"];
  const sessions = join(agentDir, "sessions");

  return {
    program,
    model,
    tmux,
    async open(more = []) {
      await tmux.open({ command: [...command, "-e", extension, ...more], env, cwd: project, width: 100, height: 40 });
      await tmux.waitFor(/scripted\s*$/m);
    },
    async prompt(text) {
      await tmux.type(text);
      await tmux.waitFor((screen) => screen.includes(text));
      await tmux.keys("Enter");
    },
    print: (text) =>
      Bun.spawn([...command, "-e", extension, "-p", text], {
        env,
        cwd: project,
        stdio: ["ignore", "pipe", "pipe"],
      }),
    results() {
      const files = readdirSync(sessions, { recursive: true, encoding: "utf8" }).filter((name) =>
        name.endsWith(".jsonl"),
      );
      const lines = files.flatMap((file) => wholeLines(join(sessions, file)));
      return lines
        .map((line) => (JSON.parse(line) as { message?: { role?: string } }).message)
        .filter((message) => message?.role === "toolResult") as unknown as ReturnType<PiStage["results"]>;
    },
    async [Symbol.asyncDispose]() {
      await tmux.close();
      await model.close();
      await program.dispose();
    },
  };
}
