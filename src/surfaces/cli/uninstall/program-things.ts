import { existsSync, lstatSync, readFileSync, readlinkSync } from "node:fs";
import { rm, rmdir } from "node:fs/promises";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import type { Paths } from "../../../machine/home.ts";
import { runQuietly } from "../../../machine/service/run-quietly.ts";
import { serviceOn } from "../../../machine/service/service.ts";
import type { Env } from "./agent-things.ts";
import type { Thing } from "./thing.ts";

/** What starts Parley: a service, links in the folders of commands, the launcher; and its socket, where that lies apart. */
export function programThings(paths: Paths, env: Env): Thing[] {
  const { program, home, socket } = paths;
  const links = linkPlaces(env).filter((path) => linkedTo(path) === program);
  const apart = dirname(socket);
  const things: (Thing | undefined)[] = [
    serviceThing(paths, env),
    ...links.map((path): Thing => ({ kind: "link", path, remove: () => rm(path, { force: true }) })),
    existsSync(program) ? { kind: "launcher", path: program, remove: () => removeLauncher(paths) } : undefined,
    apart !== home && existsSync(apart)
      ? { kind: "socket", path: apart, remove: () => rm(apart, { recursive: true, force: true }) }
      : undefined,
  ];
  return things.filter((thing) => thing !== undefined);
}

/** The one of `parley service install`, or one like it, that runs this very Parley. */
function serviceThing({ program }: Paths, env: Env): Thing | undefined {
  const service = serviceOn(process.platform, { program, env, keep: {} });
  if (!service || !startsOf(service.path).includes(program)) return undefined;
  const { path, stop } = service;
  const remove = async () => {
    for (const step of stop.slice(0, 1)) await runQuietly(step, env);
    for (const file of [path, join(dirname(path), "default.target.wants/parley.service")])
      await rm(file, { force: true });
    for (const step of stop.slice(1)) await runQuietly(step, env);
  };
  return { kind: "service", path, about: "disabled and stopped first", remove };

  /** Where one was written by hand, `%h` may stand for the home. */
  function startsOf(file: string): string {
    const text = textIn(file).replaceAll("%h", env["HOME"] ?? "");
    return /^ExecStart=(.*)$/m.exec(text)?.[1] ?? text;
  }
}

async function removeLauncher({ program, programs }: Paths): Promise<void> {
  await rm(program, { force: true });
  await rm(programs, { recursive: true, force: true });
  // Its folder, when nothing else is in it.
  await rmdir(dirname(program)).catch(() => undefined);
}

function linkPlaces(env: Env): string[] {
  const folders = [...(env["PATH"] ?? "").split(delimiter), join(env["HOME"] ?? "/", ".local/bin")].filter(isAbsolute);
  return [...new Set(folders)].map((folder) => join(folder, "parley"));
}

function linkedTo(path: string): string | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}

function textIn(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
