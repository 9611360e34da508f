import { existsSync } from "node:fs";
import { isUp } from "../../../../client/wire.ts";
import { ParleyError } from "../../../../core/error.ts";
import { shortId } from "../../../../core/id.ts";
import { safeLine } from "../../../../core/text/text.ts";
import { counted } from "../../../../core/words/number.ts";
import { topFolder } from "../../../../machine/git/project-top.ts";
import { defineCommand } from "../../command-line/define.ts";
import type { Context } from "../../context.ts";
import { refuseAgents } from "../../guard.ts";
import { jsonLine } from "../../json.ts";
import { agentThings, ANOTHER } from "../../uninstall/agent-things.ts";
import { programThings } from "../../uninstall/program-things.ts";
import { stateThings } from "../../uninstall/state-things.ts";
import type { Thing } from "../../uninstall/thing.ts";
import { stopDaemon } from "../daemon/down.ts";

const WITH_STATE = new Set<Thing["kind"]>(["state", "settings", "worktree"]);

export const command = defineCommand({
  about:
    "Shows everything that Parley put on this machine, and takes it out: hooks and plugins of every agent, backups beside their settings, the link, the launcher, the service. The daemon is stopped first. What you asked and answered stays, unless you say so; a worktree with work in it stays in any case.",
  options: {
    print: { description: "only show it" },
    yes: { short: "y", description: "do not ask; questions, answers and settings stay" },
    state: { description: "with --yes: delete those too" },
    json: { description: "print it as JSON (with --yes or --print)" },
  },
  notes:
    "Whatever is left when it is killed is found by the next run. The program itself is taken out by what you installed it with.",
  async run({ print, yes, state, json }, context) {
    const { terminal, client, paths } = context;
    if (state && !yes && !print) throw new ParleyError("usage", "--state goes with --yes");
    if (!print) await refuseAgents("uninstall", { paths, client });
    if (!print && !yes && (!terminal.ask || json))
      throw new ParleyError("usage", "Nothing was removed: add --yes, or --print to only see it");
    const things = await findThings(context);
    if (print) return tell(things, undefined, context, { json, state });
    await refuseRunning(context);
    if (!json) terminal.out(listed(things, context, state));
    const removable = things.filter(({ kept }) => kept === undefined);
    const [now, later] = [removable.filter(isPut), removable.filter((thing) => !isPut(thing))];
    if (now.length > 0 && !yes && !(await agreed("Take it out? [y/N] ", context)))
      return (terminal.err("Nothing was removed.\n"), 1);
    if (existsSync(paths.home)) await stopDaemon(paths, { force: false });
    const gone = new Set<Thing>();
    for (const thing of now) await remove(thing, gone, context);
    const alsoState =
      later.length > 0 && (yes ? state : await agreed("Delete questions, answers and settings too? [y/N] ", context));
    if (alsoState) for (const thing of later) await remove(thing, gone, context);
    return tell(things, gone, context, { json, state });
  },
});

const isPut = ({ kind }: Thing) => !WITH_STATE.has(kind);

/** In the order of removal: what calls Parley first, Parley's own last. */
async function findThings({ paths, terminal: { env, cwd }, client }: Context): Promise<Thing[]> {
  const projects = (await isUp(paths)) ? await projectsOf(client) : [];
  return [
    ...(await agentThings(paths, env, cwd, [...new Set([...projects, topFolder(cwd)])])),
    ...programThings(paths, env),
    ...(await stateThings(paths, env, cwd)),
  ];
}

async function projectsOf(client: Context["client"]): Promise<string[]> {
  const { sessions } = await client.call("listSessions", { query: { limit: 500 } });
  const folders = sessions.flatMap(({ cwd }) => (cwd === undefined || !existsSync(cwd) ? [] : [topFolder(cwd)]));
  return [...new Set(folders)];
}

/** Their agents would go on without anybody to ask. */
async function refuseRunning({ client, paths }: Context): Promise<void> {
  if (!(await isUp(paths))) return;
  const { tasks } = await client.call("listTasks", { query: { state: "active", limit: 1000 } });
  const running = tasks.filter(({ state }) => state !== "waiting");
  if (running.length === 0) return;
  const ids = running.map(({ id }) => shortId(id)).join(" ");
  throw new ParleyError(
    "busy",
    `${counted(running.length, "task")} still ${running.length === 1 ? "runs" : "run"}: parley task cancel ${ids}`,
  );
}

async function agreed(question: string, { terminal }: Context): Promise<boolean> {
  return /^y(es)?$/i.test((await terminal.ask?.(question))?.trim() ?? "");
}

async function remove(thing: Thing, gone: Set<Thing>, { terminal }: Context): Promise<void> {
  try {
    await thing.remove();
    gone.add(thing);
  } catch (error) {
    thing.kept = error instanceof Error ? error.message : String(error);
    terminal.err(`✗ ${safeLine(thing.path)}: ${safeLine(thing.kept, { max: 300 })}\n`);
  }
}

/** `state`: it was said beforehand that this goes, too. */
function listed(things: readonly Thing[], { terminal: { style } }: Context, state: boolean): string {
  if (things.length === 0) return "";
  const line = ({ kind, path, about, kept }: Thing) =>
    `  ${kind.padEnd(9)} ${safeLine(path)}${about === undefined ? "" : style.dim(`  ${about}`)}${kept === undefined ? "" : `  ${style.yellow(safeLine(kept, { max: 200 }))}`}`;
  const part = (title: string, some: readonly Thing[]) =>
    some.length === 0 ? [] : [style.bold(title), ...some.map(line)];
  const removable = things.filter(({ kept }) => kept === undefined);
  return `${[
    ...part("Parley put this here:", removable.filter(isPut)),
    ...part(
      state ? "Kept by Parley, and deleted too:" : "This stays, unless you say so:",
      removable.filter((thing) => !isPut(thing)),
    ),
    ...part(
      "This stays in any case:",
      things.filter(({ kept }) => kept !== undefined),
    ),
  ].join("\n")}\n`;
}

/** `removed` undefined: it was only shown. */
function tell(
  things: readonly Thing[],
  removed: ReadonlySet<Thing> | undefined,
  context: Context,
  { json, state }: { json: boolean; state: boolean },
): number {
  const { terminal } = context;
  const gone = removed ?? new Set();
  const failed =
    removed !== undefined && things.some((thing) => isPut(thing) && thing.kept !== undefined && thing.kept !== ANOTHER);
  if (json) {
    const views = things.map((thing) => {
      const { kind, path, about, kept } = thing;
      return {
        kind,
        path,
        ...(about !== undefined && { about }),
        ...(kept !== undefined && { kept }),
        removed: gone.has(thing),
      };
    });
    terminal.out(jsonLine({ things: views }));
    return failed ? 1 : 0;
  }
  if (gone.size === 0 && things.length === 0) return (terminal.out("Nothing of Parley's is on this machine.\n"), 0);
  if (gone.size === 0) return (terminal.out(listed(things, context, state)), failed ? 1 : 0);
  terminal.out(`✓ Removed ${counted(gone.size, "thing")}.\n`);
  const left = things.filter((thing) => !gone.has(thing));
  if (left.length > 0) terminal.out(terminal.style.dim(`Left: ${left.map(({ path }) => safeLine(path)).join(", ")}\n`));
  terminal.out(terminal.style.dim("The program itself goes the way it came, as with npm uninstall -g parley-inbox.\n"));
  return failed ? 1 : 0;
}
