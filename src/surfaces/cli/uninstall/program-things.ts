import { existsSync, lstatSync, readFileSync, readlinkSync } from "node:fs";
import { rm, rmdir } from "node:fs/promises";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import type { Paths } from "../../../machine/home.ts";
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
    existsSync(program) ? { kind: "launcher", path: program, remove: () => removeLauncher(program) } : undefined,
    apart !== home && existsSync(apart)
      ? { kind: "socket", path: apart, remove: () => rm(apart, { recursive: true, force: true }) }
      : undefined,
  ];
  return things.filter((thing) => thing !== undefined);
}

/** The unit of docs/operate.md, or one like it, that runs this very Parley. */
function serviceThing({ program }: Paths, env: Env): Thing | undefined {
  const home = env["HOME"] ?? "";
  const folder = join(env["XDG_CONFIG_HOME"] || join(home, ".config"), "systemd/user");
  const path = join(folder, "parley.service");
  const [, starts = ""] = /^ExecStart=(.*)$/m.exec(textIn(path)) ?? [];
  if (!starts.replaceAll("%h", home).includes(program)) return undefined;
  const remove = async () => {
    await systemctl(env, "disable", "--now", "parley.service");
    for (const file of [path, join(folder, "default.target.wants/parley.service")]) await rm(file, { force: true });
    await systemctl(env, "daemon-reload");
  };
  return { kind: "service", path, about: "disabled and stopped first", remove };
}

/** Where there is no systemd of this user, its file alone goes. */
async function systemctl(env: Env, ...args: string[]): Promise<void> {
  const found = Bun.which("systemctl", { PATH: env["PATH"] ?? "" });
  if (found === null) return;
  const child = Bun.spawn([found, "--user", ...args], { env, stdio: ["ignore", "ignore", "ignore"] });
  const limit = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
  await child.exited;
  clearTimeout(limit);
}
const PATIENCE_MS = 20_000;

async function removeLauncher(program: string): Promise<void> {
  await rm(program, { force: true });
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
