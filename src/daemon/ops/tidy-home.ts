import { closeSync, lstatSync, openSync, readFileSync, readSync, renameSync, type Stats, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { Pane } from "../../core/ask/ask.ts";
import type { Paths } from "../../machine/home.ts";
import { Browser } from "../../protocol/page.ts";
import type { Log } from "../../machine/log.ts";
import { setUpPlaces } from "../../machine/settings/set-up-places.ts";
import { Tally } from "./metrics-tally.ts";

/** More than any of them has; a larger one is not ours, and would only fill the memory. */
const LARGEST = 64 * 1024 * 1024;
const SQLITE = "SQLite format 3\0";

/** Why it cannot be what it should be; undefined when it can, or is not there. */
type Look = (path: string, found: Stats) => string | undefined;
type Kept = { path: string; look: Look; /** What stands for it when it was set aside. */ instead?: string };

const Registration = z.looseObject({
  state: z.enum(["running", "ended"]),
  process: z.looseObject({ pid: z.number() }),
  tokens: z.looseObject({ agent: z.string(), human: z.string() }),
});
const Pauses = z.looseObject({ all: z.number().optional(), sessions: z.record(z.string(), z.number()).optional() });
const Agents = z.array(z.looseObject({ pid: z.number(), session: z.string() }));
const Browsers = z.array(Browser.extend({ digest: z.string() }));

/**
 * Sets aside, beside its place, whatever in the home is not what it should be: half a file, something else under its
 * name. Parley goes on without it, and says so; nothing is thrown away. To be called by whoever has the lock.
 */
export function tidyHome(paths: Paths, log: Log): void {
  const folder = (path: string): Kept => ({ path, look: isFolder });
  const json = (path: string, shape: z.ZodType): Kept => ({ path, look: hasShape(shape) });
  const kept: Kept[] = [
    folder(dirname(paths.program)),
    folder(paths.brain),
    folder(paths.conversations),
    folder(join(paths.home, "tasks")),
    folder(join(paths.home, "worktrees")),
    { path: paths.program, look: isSmall },
    { path: paths.socket, look: (_path, found) => (found.isDirectory() ? "it is a folder" : undefined) },
    { path: paths.database, look: isDatabase },
    { path: paths.ledger, look: isDatabase },
    json(paths.registration, Registration),
    json(paths.browsers, Browsers),
    json(paths.pairs, z.array(z.looseObject({ messenger: z.string(), id: z.string(), chat: z.string() }))),
    json(paths.devices, z.looseObject({ vapid: z.looseObject({}), subscriptions: z.array(z.looseObject({})) })),
    json(setUpPlaces(paths.home), z.array(z.looseObject({ agent: z.string(), path: z.string() }))),
    json(paths.panes, z.array(Pane)),
    json(paths.hub, z.looseObject({ url: z.string(), token: z.string(), projects: z.array(z.string()) })),
    json(paths.agents, Agents),
    json(paths.trusted, z.record(z.string(), z.looseObject({ digest: z.string() }))),
    json(join(paths.home, "metrics.json"), Tally),
    // It was there and says nothing any more: somebody wanted the autopilot to stop.
    { ...json(paths.pauses, Pauses), instead: '{"all":0,"sessions":{}}' },
  ];
  for (const each of kept) setAside(each, log);
}

/** Before it is taken: what is no lock cannot be locked. And the log, before anything is written into it. */
export function tidyLock(paths: Paths, log: Log): void {
  setAside({ path: paths.log, look: isSmall }, log);
  setAside({ path: paths.lock, look: isDatabase }, log);
}

function setAside({ path, look, instead }: Kept, log: Log): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  // A link is somebody's doing: whoever would write through it refuses to.
  const why = found && !found.isSymbolicLink() ? look(path, found) : undefined;
  if (why === undefined) return;
  const as = `${path}.set-aside-${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "")}-${process.pid}`;
  renameSync(path, as);
  if (instead !== undefined) writeFileSync(path, instead, { mode: 0o600 });
  log("warn", "set aside: it is not what Parley keeps there", { file: path, as, why });
}

const isFolder: Look = (_path, found) => (found.isDirectory() ? undefined : "it is not a folder");

function isReadable(path: string, found: Stats): string | undefined {
  if (!found.isFile()) return found.isDirectory() ? "it is a folder" : "it is not a file";
  try {
    closeSync(openSync(path, "r"));
    return undefined;
  } catch (error) {
    return `it cannot be read (${(error as NodeJS.ErrnoException).code})`;
  }
}

function isSmall(path: string, found: Stats): string | undefined {
  return isReadable(path, found) ?? (found.size > LARGEST ? `it has ${found.size} bytes` : undefined);
}

/** One that is damaged inside is for a person to judge; one that is none at all keeps everybody from asking. */
function isDatabase(path: string, found: Stats): string | undefined {
  const why = isReadable(path, found);
  if (why !== undefined || found.size === 0) return why;
  const file = openSync(path, "r");
  const head = Buffer.alloc(SQLITE.length);
  readSync(file, head, 0, head.length, 0);
  closeSync(file);
  return head.toString("latin1") === SQLITE ? undefined : "it is not a database";
}

function hasShape(shape: z.ZodType): Look {
  return (path, found) => {
    const why = isSmall(path, found);
    if (why !== undefined) return why;
    try {
      return shape.safeParse(JSON.parse(readFileSync(path, "utf8"))).success ? undefined : "it has another shape";
    } catch {
      return "it is not JSON";
    }
  };
}
