import { existsSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { AGENTS, agentNamed, type Installable, isInstallable } from "../../../agents/agents.ts";
import { safeLine } from "../../../core/text/text.ts";
import { readExact, replaceFile, writeAtomic } from "../../../machine/file/atomic-file.ts";
import { homeDir, type Paths, pathsIn } from "../../../machine/home.ts";
import { shellWord } from "../../../machine/shell-quote.ts";
import { readSetUpPlaces } from "../../../machine/settings/set-up-places.ts";
import { stays, type Thing } from "./thing.ts";

type Place = { agent: Installable; path: string };
export type Env = Record<string, string | undefined>;

/** They are not ours, so they are no failure either. */
export const ANOTHER = "they call a Parley with another home";

/** Hooks, plugins and backups in agents' settings: your own, of every project in `projects`, and wherever else they were put. */
export async function agentThings(paths: Paths, env: Env, cwd: string, projects: readonly string[]): Promise<Thing[]> {
  const ofAgents = AGENTS.filter(isInstallable).map(async (agent): Promise<Place[]> => {
    const { settingsPath } = await agent.install();
    return [undefined, ...projects].map((project) => {
      const at = { env, cwd, ...(project !== undefined && { project }) };
      return { agent, path: settingsPath(at) };
    });
  });
  const usual = (await Promise.all(ofAgents)).flat();
  const noted = readSetUpPlaces(paths.home).flatMap(({ agent: name, path }): Place[] => {
    const agent = agentNamed(name);
    return agent && isInstallable(agent) ? [{ agent, path }] : [];
  });
  const places = [...new Map([...usual, ...noted].map((place) => [place.path, place])).values()];
  const things = (await Promise.all(places.map((place) => inSettings(place, paths)))).flat();
  const others = new Set(things.flatMap(({ path, kept }) => (kept === ANOTHER ? [path] : [])));
  things.push(...(await hostThings(paths, env, cwd)));
  return [...things, ...places.flatMap(({ path }) => (others.has(path) ? [] : backupsOf(path)))];
}

async function inSettings({ agent, path }: Place, { program, home }: Paths): Promise<Thing[]> {
  try {
    const text = await readExact(path);
    if (text === undefined) return [];
    const plan = (await agent.install()).plan({ text, program, hold: false, remove: true, file: path });
    if (!plan.changed) return [];
    // Another home of the same person has its own Parley.
    if (!text.includes(home)) return [stays("hooks", path, ANOTHER)];
    const { before, after } = plan;
    const remove = async () =>
      after === undefined ? void (await replaceFile(path, before, after)) : writeAtomic(path, after, { expect: text });
    if (after === undefined) return [{ kind: "plugin", path, about: `for ${agent.title}`, remove }];
    return [{ kind: "hooks", path, about: `of ${agent.title}; the rest of the file stays`, remove }];
  } catch (error) {
    // Somebody else's file under that name, or one that cannot be read.
    return [stays("hooks", path, error instanceof Error ? error.message : String(error))];
  }
}

/** What agents' own plugin managers installed: they take it out, too. */
async function hostThings({ home }: Paths, env: Env, cwd: string): Promise<Thing[]> {
  const usual = pathsIn(homeDir({ ...env, PARLEY_HOME: undefined }));
  // A plugin starts the Parley of the usual home, unless told otherwise.
  const isOther = usual.home !== home && existsSync(usual.program);
  const found = AGENTS.filter(isInstallable).map(async ({ install: load, title, program }) => {
    const install = await load();
    const plugins = (await install.hostPlugins?.({ env, cwd })) ?? [];
    const listed = ((await install.listed?.({ env, cwd })) ?? []).map(({ path, text, after, names }): Thing => {
      if (isOther) return stays("plugin", path, ANOTHER);
      const about = `of ${title}: ${safeLine(names.join(", "))} in its list; the rest of the file stays`;
      return { kind: "plugin", path, about, remove: () => writeAtomic(path, after, { expect: text }) };
    });
    const managed = plugins.map(({ path, args, cwd: folder = cwd }): Thing => {
      const command = [program, ...args];
      if (isOther) return stays("plugin", path, ANOTHER);
      return {
        kind: "plugin",
        path,
        about: `of ${title}: ${safeLine(command.map(shellWord).join(" "))}`,
        remove: () => told(command, { env, cwd: folder }),
      };
    });
    return [...managed, ...listed];
  });
  return (await Promise.all(found)).flat();
}

async function told(command: readonly string[], { env, cwd }: { env: Env; cwd: string }): Promise<void> {
  const [[program = "", ...args], typed] = [command, command.map(shellWord).join(" ")];
  const path = Bun.which(program, { PATH: env["PATH"] ?? "" });
  if (path === null) throw new Error(`${program} is not on your PATH. Take it out with: ${typed}`);
  const child = Bun.spawn([path, ...args], { env, cwd, stdio: ["ignore", "ignore", "pipe"] });
  const [words, code] = await Promise.all([child.stderr.text(), child.exited]);
  if (code !== 0) throw new Error(`${typed} ended with ${code}: ${words.trim()}`);
}

function backupsOf(path: string): Thing[] {
  const prefix = `${basename(path)}.parley-backup-`;
  const names = namesIn(dirname(path)).filter(
    (name) => name.startsWith(prefix) && /^\d{8}T\d+Z$/.test(name.slice(prefix.length)),
  );
  return names.map((name) => {
    const file = join(dirname(path), name);
    return { kind: "backup", path: file, remove: () => rm(file, { force: true }) };
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
