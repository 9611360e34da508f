import { realpath } from "node:fs/promises";
import { ParleyError } from "../../../../core/error.ts";
import { howInstalled, type Installed, upgradeCommand } from "../../../../machine/program/how-installed.ts";
import { shellWord } from "../../../../machine/shell-quote.ts";
import { defineCommand } from "../../command-line/define.ts";
import { refuseAgents } from "../../guard.ts";
import { jsonLine } from "../../json.ts";

export const command = defineCommand({
  about:
    "Brings the newest Parley the way this one was installed, and starts it in place of the one that runs. Questions that wait go on waiting.",
  options: {
    print: { description: "only say how" },
    yes: { short: "y", description: "do not ask" },
    json: { description: "print it as JSON (with --yes or --print)" },
  },
  async run({ print, yes, json }, { terminal, client, paths, version }) {
    if (!print) await refuseAgents("upgrade", { paths, client });
    const installed = howInstalled();
    const typed = upgradeCommand(installed, installed.by === "npm" ? await npmPrefix(terminal.env) : undefined);
    const steps = typed ? [typed.map(shellWord).join(" ")] : byHand(installed);
    const about = { version, by: installed.by, folder: installed.folder, steps };
    const isAsked = !print && typed !== undefined;
    if (json && (!isAsked || !yes)) return (terminal.out(jsonLine({ ...about, done: false })), 0);
    if (!json) terminal.out(`Parley ${version}, ${WORDS[installed.by]} ${installed.folder}. A newer one:\n`);
    if (!json) terminal.out(steps.map((step) => `  ${step}\n`).join(""));
    if (!isAsked || !typed) return 0;
    if (!yes && !terminal.ask) throw new ParleyError("usage", "Nothing was changed: add --yes to do it");
    if (!yes && !/^y(es)?$/i.test((await terminal.ask?.("Do it now? [y/N] "))?.trim() ?? ""))
      return (terminal.err("Nothing was changed.\n"), 1);
    await run(typed, terminal.env);
    // The new one, by the name that was just replaced: this process is still the old one.
    if (installed.by !== "npx") await run([`${installed.folder}/bin/parley`, "restart"], terminal.env);
    if (json) terminal.out(jsonLine({ ...about, done: true }));
    return 0;
  },
});

/** Undefined where npm does not say: then its usual place is meant. */
async function npmPrefix(env: Record<string, string | undefined>): Promise<string | undefined> {
  const npm = Bun.which("npm", { PATH: env["PATH"] ?? "" });
  if (npm === null) return undefined;
  const child = Bun.spawn([npm, "prefix", "-g"], { env, stdio: ["ignore", "pipe", "ignore"] });
  const [out, code] = await Promise.all([child.stdout.text(), child.exited]);
  const said = out.trim();
  return code === 0 && said !== "" ? await realpath(said).catch(() => said) : undefined;
}

const WORDS: Record<Installed["by"], string> = {
  npm: "installed by npm in",
  pnpm: "installed by pnpm in",
  yarn: "installed by yarn in",
  bun: "installed by bun in",
  npx: "from the cache of npx,",
  dependency: "a dependency of a project, in",
  clone: "from source in",
  file: "one file,",
};

function byHand(installed: Installed): string[] {
  const { folder } = installed;
  if (installed.by === "clone")
    return [
      ...(installed.isGit ? [`git -C ${shellWord(folder)} pull`] : []),
      `npm --prefix ${shellWord(folder)} start`,
      "parley restart",
    ];
  if (installed.by === "dependency") return ["npm install parley-inbox@latest   (in that project)", "parley restart"];
  return [`sh install.sh <where the new one is>   (it goes to ${folder})`, "parley restart"];
}

/** What it says goes to the terminal: a package manager tells how far it is. */
async function run([name = "", ...args]: readonly string[], env: Record<string, string | undefined>): Promise<void> {
  const program = name.startsWith("/") ? name : Bun.which(name, { PATH: env["PATH"] ?? "" });
  if (program === null) throw new ParleyError("settings", `There is no ${name} on your PATH`);
  const code = await Bun.spawn([program, ...args], { env, stdio: ["ignore", 2, 2] }).exited;
  if (code !== 0)
    throw new ParleyError("settings", `${[name, ...args].join(" ")} ended with ${code}. Parley goes on as it was`);
}
