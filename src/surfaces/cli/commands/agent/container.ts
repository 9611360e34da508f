import { isAbsolute, join, resolve } from "node:path";
import { isUp } from "../../../../client/wire.ts";
import { ParleyError } from "../../../../core/error.ts";
import { safeLine } from "../../../../core/text/text.ts";
import {
  CONTAINER_NAME,
  type Container,
  containerFolder,
  readContainers,
  removeContainer,
  type SharedFolder,
  writeContainer,
} from "../../../../machine/process/containers.ts";
import { pathsIn } from "../../../../machine/home.ts";
import { programFiles } from "../../../../machine/self-command.ts";
import { realPath } from "../../../../machine/file/real-path.ts";
import { shellWord } from "../../../../machine/shell-quote.ts";
import { defineCommand } from "../../command-line/define.ts";
import type { Context } from "../../context.ts";
import { refuseAgents } from "../../guard.ts";
import { jsonLine } from "../../json.ts";

/** Where it is seen in there. */
const INSIDE = "/run/parley";
const OPENS_MS = 30_000;

export const command = defineCommand({
  about:
    "Agents in a container (docker, podman, a devcontainer) ask here through a folder that is mounted into it: a socket that takes hooks and questions, and nothing else. Says which words the engine needs. Without a name: the containers there are.",
  positionals: { name: { optional: true } },
  options: {
    folder: {
      value: "HERE:INSIDE",
      repeatable: true,
      description: "a folder that it shares with this machine: its project, its ~/.claude",
    },
    remove: { description: "its agents no longer ask here" },
  },
  needs: "Give one name: parley container dev",
  examples: [
    ["parley container dev --folder ~/src/app:/workspace", "what to give docker for a container with this project"],
    ["parley container dev --remove", "close its door"],
  ],
  notes: "How, for docker, podman and devcontainers: docs/containers.md",
  async run({ name, folder, remove, json }, context) {
    const { home } = context.paths;
    if (name === undefined) return list(json, context);
    if (!CONTAINER_NAME.test(name))
      throw new ParleyError("usage", "A container's name has small letters, digits, - and _, 32 at most");
    await refuseAgents("container", context);
    if (remove) return removed(name, removeContainer(home, name), json, context);
    const container = await writeContainer(
      home,
      name,
      folder.map((text) => shared(text, context.terminal.cwd)),
    );
    return given(container, json, context);
  },
});

function shared(text: string, cwd: string): SharedFolder {
  const at = text.lastIndexOf(":");
  const [here, inside] = [resolve(cwd, text.slice(0, at)), text.slice(at + 1).replace(/(?<=.)\/+$/, "")];
  const problem =
    at < 1 || !isAbsolute(inside)
      ? `--folder ${text}: two paths, as for docker: /home/you/src/app:/workspace`
      : realPath(here) === undefined
        ? `--folder ${text}: ${here} does not exist`
        : undefined;
  if (problem !== undefined) throw new ParleyError("usage", safeLine(problem, { max: 300 }));
  return { here, inside };
}

/** The daemon opens the door when it looks next; a container that starts before finds it then. */
async function given(
  { name, folders }: Container,
  json: boolean,
  { terminal, client, paths }: Context,
): Promise<number> {
  // Starts it where it is away.
  const { port } = await client.call("status", {});
  const folder = containerFolder(paths.home, name);
  const isOpen = await opens(folder);
  const mounts = mountsOf(folder, folders);
  if (json) return (terminal.out(jsonLine({ name, folder, mounts, port, isOpen })), 0);
  const words = mounts.map((mount) => `-v ${shellWord(mount)}`);
  terminal.out(
    [
      `✓ container ${name}: ${isOpen ? "its door is open" : "its door opens when the daemon looks next"}`,
      "",
      "Give docker or podman these words:",
      ...words.map((word) => `  ${word} \\`),
      "",
      "and run once in the container, for each agent in it:",
      `  ${INSIDE}/bin/parley setup claude-code --yes`,
      "",
      ...(port === null
        ? []
        : [`Where sockets cannot be mounted (Docker Desktop): -e PARLEY_DAEMON=http://host.docker.internal:${port}`]),
      "",
    ].join("\n"),
  );
  return 0;
}

function mountsOf(folder: string, folders: readonly SharedFolder[]): string[] {
  const program = [...new Set(programFiles())].toSorted().filter((path, i, all) => !isBelow(path, all.slice(0, i)));
  return [
    `${folder}:${INSIDE}:ro`,
    ...program.map((path) => `${path}:${path}:ro`),
    ...folders.map(({ here, inside }) => `${here}:${inside}`),
  ];
}

const isBelow = (path: string, others: readonly string[]) => others.some((each) => path.startsWith(`${each}/`));

async function opens(folder: string): Promise<boolean> {
  const door = { ...pathsIn(folder), socket: join(folder, "daemon.sock") };
  for (const until = performance.now() + OPENS_MS; performance.now() < until; await Bun.sleep(50))
    if (await isUp(door)) return true;
  return false;
}

function removed(name: string, wasThere: boolean, json: boolean, { terminal }: Context): number {
  const words = wasThere ? `✓ container ${name} no longer asks here` : `There is no container ${name}`;
  terminal.out(json ? jsonLine({ name, removed: wasThere }) : `${words}\n`);
  return wasThere ? 0 : 1;
}

function list(json: boolean, { terminal, paths }: Context): number {
  const containers = readContainers(paths.home).map(({ name, folders }) => ({
    name,
    folder: containerFolder(paths.home, name),
    folders,
  }));
  const lines = containers.map(({ name, folder, folders }) =>
    [
      `${name}  ${safeLine(folder, { max: 200 })}`,
      ...folders.map((each) => `  ${each.here} is ${each.inside} there`),
    ].join("\n"),
  );
  const none = "No containers. See: parley container --help";
  terminal.out(json ? jsonLine({ containers }) : `${lines.join("\n") || none}\n`);
  return 0;
}
