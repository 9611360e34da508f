import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { randomBytes } from "node:crypto";
import { writeAtomic } from "../file/atomic-file.ts";
import { insideOf } from "../home.ts";

/** A folder that a container sees too, and where. */
export type SharedFolder = { here: string; inside: string };
/** What a person said of a container whose agents ask here. `token`: for who comes over the network. */
export type Container = { name: string; token: string; folders: SharedFolder[] };

export const CONTAINER_NAME = /^[a-z0-9][a-z0-9_-]{0,31}$/;
const LARGEST = 64 * 1024;

/** Outside of what the container sees. */
const folderIn = (home: string) => join(home, "containers");
const fileOf = (home: string, name: string) => join(folderIn(home), `${name}.json`);
/** All that the container sees of Parley: the socket, the program that its hooks call, and its own token. */
export const containerFolder = (home: string, name: string): string => insideOf(home, `container-${name}`);

/** What cannot be read is none. */
export function readContainers(home: string): Container[] {
  try {
    const names = readdirSync(folderIn(home)).flatMap((file) => (file.endsWith(".json") ? [file.slice(0, -5)] : []));
    return names.filter((name) => CONTAINER_NAME.test(name)).flatMap((name) => read(home, name) ?? []);
  } catch {
    return [];
  }
}

function read(home: string, name: string): Container | undefined {
  try {
    const text = readFileSync(fileOf(home, name), "utf8");
    const found = text.length > LARGEST ? {} : (JSON.parse(text) as Partial<Container>);
    const folders = Array.isArray(found.folders) ? found.folders.filter(isShared) : [];
    return typeof found.token === "string" && found.token.length > 20
      ? { name, token: found.token, folders }
      : undefined;
  } catch {
    return undefined;
  }
}

const isShared = (each: Partial<SharedFolder> | null): boolean =>
  typeof each?.here === "string" && typeof each.inside === "string" && each.inside.startsWith("/");

/** The token stays when it is given again: a container that runs goes on with it. */
export async function writeContainer(home: string, name: string, folders: SharedFolder[]): Promise<Container> {
  const token = read(home, name)?.token ?? randomBytes(24).toString("base64url");
  mkdirSync(folderIn(home), { recursive: true, mode: 0o700 });
  const container = { name, token, folders };
  await writeAtomic(fileOf(home, name), `${JSON.stringify(container, null, 2)}\n`, { mode: 0o600, own: true });
  return container;
}

/** Answers whether there was one. */
export function removeContainer(home: string, name: string): boolean {
  const isThere = readContainers(home).some((each) => each.name === name);
  rmSync(fileOf(home, name), { force: true });
  return isThere;
}
