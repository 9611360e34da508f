import type { Mount } from "./mount.ts";

type Wanted = { mounts: readonly Mount[]; cwd: string; env: Record<string, string>; network: string };
/** As container engines take them. Links and empty folders are the image's own matter. */
const volumeOf = (mount: Mount): string[] =>
  "from" in mount ? ["-v", `${mount.from}:${mount.at}:${mount.write ? "rw" : "ro"}`] : [];

/**
 * The words of a container engine with what this task needs in their places. `{mounts}` and `{env}`, each a word by
 * itself, become several: `-v from:at:ro`, and `-e NAME`, whose value it takes from its own environment.
 */
export function wrapped(command: readonly string[], { mounts, cwd, env, network }: Wanted): string[] {
  const within = { "{workdir}": cwd, "{network}": network, "{home}": env["HOME"] ?? "/" };
  return command.flatMap((word) => {
    if (word === "{mounts}") return mounts.flatMap(volumeOf);
    if (word === "{env}") return Object.keys(env).flatMap((name) => (name === "PATH" ? [] : ["-e", name]));
    return [Object.entries(within).reduce((text, [name, value]) => text.replaceAll(name, value), word)];
  });
}
