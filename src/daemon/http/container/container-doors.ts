import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Container, containerFolder, readContainers } from "../../../machine/process/containers.ts";
import { containerLauncher } from "../../../machine/program/launcher.ts";
import type { Log } from "../../../machine/log.ts";
import { createNestedProcesses } from "../../../machine/process/nested-process.ts";
import { makePrivateDir } from "../../../machine/file/private-dir.ts";
import type { Holds } from "../../../delivery/holds.ts";
import type { Store } from "../../../store/store.ts";
import { same } from "../access.ts";
import { watchContainerCalls } from "./container-calls.ts";
import { createContainerRules } from "./container-rules.ts";
import type { Rules } from "./inside.ts";

type Listening = { stop(force?: boolean): Promise<void> };
type Deps = {
  home: string;
  store: Store;
  holds: Holds;
  now: () => number;
  log: Log;
  listen(path: string, rules: Rules): Listening;
};
type Open = { server: Listening; folder: string; rules: Rules; container: Container };

/** The doors of containers that a person lets ask here: a folder for each, to be mounted, with a socket in it. */
export function createContainerDoors({ home, store, holds, now, log, listen }: Deps) {
  const doors = new Map<string, Open>();
  const rulesOf = createContainerRules({ store, holds, now, log, processHere: createNestedProcesses() });
  const calls = watchContainerCalls({ store, home, log });

  function open(container: Container): void {
    const { name } = container;
    const folder = containerFolder(home, name);
    makePrivateDir(folder);
    putInside(folder, container.token);
    const path = join(folder, "daemon.sock");
    // Left by the daemon before.
    rmSync(path, { force: true });
    const rules = rulesOf(() => doors.get(name)?.container ?? container);
    doors.set(name, { server: listen(path, rules), folder, rules, container });
  }

  function close(name: string, { server, folder }: Open): void {
    doors.delete(name);
    void server.stop(true);
    rmSync(folder, { recursive: true, force: true });
  }

  /** As the person says now which there are. */
  function look(): void {
    const wanted = readContainers(home);
    for (const [name, door] of doors) if (!wanted.some((each) => each.name === name)) close(name, door);
    for (const container of wanted) {
      const door = doors.get(container.name);
      try {
        if (!door) open(container);
        else door.container = container;
      } catch (error) {
        log("error", "a container's door cannot be opened", { container: container.name, error: String(error) });
      }
    }
  }

  return {
    look,
    async start(): Promise<void> {
      look();
      await calls.start();
    },
    /** Who comes over the network with the token of a container. */
    rulesFor(request: Request): Rules | undefined {
      const token = /^Bearer (.+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
      if (token === undefined) return undefined;
      return [...doors.values()].find(({ container }) => same(token, container.token))?.rules;
    },
    async stop(force = false): Promise<void> {
      await Promise.all([...doors.values()].map(({ server }) => server.stop(force)));
    },
  };
}

/** The program that its hooks call, and its own token; neither of Parley's. */
function putInside(folder: string, token: string): void {
  mkdirSync(join(folder, "bin"), { recursive: true, mode: 0o700 });
  const [program, secret] = [join(folder, "bin", "parley"), join(folder, "token")];
  put(program, containerLauncher(), 0o700);
  put(secret, `${token}\n`, 0o600);
}

function put(path: string, text: string, mode: number): void {
  if (existsSync(path) && readFileSync(path, "utf8") === text) return;
  writeFileSync(path, text, { mode });
  chmodSync(path, mode);
}
