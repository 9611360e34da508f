import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";

/** What is seen at a place: a file or folder of the machine, a link, or an empty folder that is forgotten afterwards. */
export type Mount = { at: string } & ({ from: string; write?: boolean } | { link: string } | { empty: true });

const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store"];
/** Of /etc what programs need to run; nothing that is for the owner of the machine alone. */
const ETC = `alternatives bash.bashrc ca-certificates ca-certificates.conf crypto-policies debian_version environment
  fonts gai.conf gitconfig group host.conf hostname hosts inputrc ld.so.cache ld.so.conf ld.so.conf.d locale.alias
  locale.conf localtime mime.types nsswitch.conf os-release passwd pki profile protocols resolv.conf services shells
  ssl terminfo timezone`.split(/\s+/);

/** What every program needs of the machine, to be read only. */
export function systemMounts(): Mount[] {
  return [
    ...SYSTEM.flatMap((path) => mountsOf(path)),
    ...ETC.flatMap((name) => mountsOf(join("/etc", name))),
    ...(existsSync("/etc/ssl/private") ? [{ at: "/etc/ssl/private", empty: true } as const] : []),
  ];
}

/** A path to be read, as it is: a link stays one, and what it leads to is there too. */
export function mountsOf(path: string): Mount[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return [];
  if (!found.isSymbolicLink()) return [{ at: path, from: path }];
  try {
    const real = realpathSync(path);
    return [...(isSystem(real) ? [] : [{ at: real, from: real }]), { at: path, link: real }];
  } catch {
    return [];
  }
}

const isSystem = (path: string) => SYSTEM.some((each) => path.startsWith(`${each}/`));
/** Contract: both absolute and without dots. */
export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);

/** A repository's objects, and those of others that it borrows from. */
export function objectFolders(repository: string, depth = 5): string[] {
  const objects = join(repository, "objects");
  if (depth === 0 || !existsSync(objects)) return [];
  const list = join(objects, "info", "alternates");
  const lines = existsSync(list)
    ? readFileSync(list, "utf8")
        .split("\n")
        .filter((line) => line !== "" && !line.startsWith("#"))
    : [];
  const others = lines.map((line) => (isAbsolute(line) ? line : resolve(objects, line)));
  return [objects, ...others.flatMap((path) => objectFolders(dirname(path), depth - 1))];
}

/** Whatever of these is there. */
export const presentIn = (folder: string, names: readonly string[]): string[] => {
  const there = new Set(existsSync(folder) ? readdirSync(folder) : []);
  return names.filter((name) => there.has(name));
};
