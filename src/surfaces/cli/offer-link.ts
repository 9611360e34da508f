import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Paths } from "../../machine/home.ts";
import { linkProgram, programLink } from "../../machine/program/program-link.ts";
import { shellWord } from "../../machine/shell-quote.ts";
import { tildePath } from "../../machine/file/tilde-path.ts";
import { sessionHere } from "./guard.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** What is left to do until a person can type `parley`; on a terminal it is offered, once, and done. */
export async function offerLink({ program, home }: Paths, terminal: Terminal): Promise<string[]> {
  const { env, style, ask, isTty } = terminal;
  const link = programLink(program, env);
  if (!link || link.state === "found") return [];
  const shown = tildePath(link.path, env);
  const byHand = [`Command: ${program} ${style.dim("(link it into your PATH as parley)")}`];
  if (link.state === "taken") return byHand;
  if (link.state === "hidden") return HIDDEN;
  const declined = join(home, "link-declined");
  if (!ask || !isTty || existsSync(declined) || sessionHere() !== undefined)
    return [
      `Command: ${program}`,
      style.dim(`         link it: mkdir -p ~/.local/bin && ln -s ${shellWord(program)} ~/.local/bin/parley`),
    ];
  const said = (await ask(`Link it as ${shown}, so that you can type parley? [Y/n] `))?.trim();
  if (said === undefined) return byHand;
  if (!/^(y(es)?)?$/i.test(said)) {
    writeFileSync(declined, "", { mode: 0o600 });
    return byHand;
  }
  linkProgram(program, link.path);
  return programLink(program, env)?.state === "found" ? [`✓ Linked: ${shown}`] : [`✓ Linked: ${shown}`, ...HIDDEN];
}

const HIDDEN = [
  "~/.local/bin is not on your PATH yet. Add this to your shell's start-up file:",
  '  export PATH="$HOME/.local/bin:$PATH"',
];
