import { shellWord } from "../../../machine/shell-quote.ts";
import { lstatSync, readdirSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import { whyUnwritable } from "../../../machine/file/why-unwritable.ts";
import type { Paths } from "../../../machine/home.ts";
import { type Finding, note, ok, problem } from "../../../core/finding.ts";

/** Tokens and answers lie here: nobody else may look in, and it must be ours. */
export function checkHome(paths: Paths): Finding[] {
  const { home, socket } = paths;
  const stat = statOf(home);
  const why = whyUnwritable(home);
  if (!stat && why !== undefined)
    return [problem("home", `${home} cannot be made: ${why}`, "set PARLEY_HOME to a folder of your own")];
  if (!stat) return [note("home", `${home} does not exist yet`)];
  if (!stat.isDirectory())
    return [
      problem("home", `${home} is not a folder (a link is not followed)`, "set PARLEY_HOME to a folder of your own"),
    ];
  const files = [
    paths.registration,
    paths.database,
    paths.log,
    paths.lock,
    paths.stopped,
    dirname(paths.program),
    socket,
  ];
  const elsewhere = dirname(socket) === home ? [] : [dirname(socket)];
  const closed = why === undefined ? [] : [problem("home", why, `chmod u+rwx ${shellWord(home)}`)];
  const wrong = [...closed, ...[home, ...elsewhere, ...files].flatMap((path) => wrongWith(path, home))];
  return [...(wrong.length > 0 ? wrong : [ok("home", `${home} is yours alone`)]), ...setAsideIn(home)];
}

/** What the daemon could make nothing of, and went on without. */
function setAsideIn(home: string): Finding[] {
  const names = [home, join(home, "bin")].flatMap((folder) => namesIn(folder).map((name) => join(folder, name)));
  return names
    .filter((name) => name.includes(".set-aside-"))
    .map((name) =>
      note("home", `${name} was set aside: it was not what Parley keeps there`, "look at it, then remove it"),
    );
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function wrongWith(path: string, home: string): Finding[] {
  const stat = statOf(path);
  if (!stat) return [];
  const uid = process.getuid?.();
  if (uid !== undefined && stat.uid !== uid)
    return [
      problem("home", `${path} belongs to user ${stat.uid}, not to you`, `sudo chown -R ${uid} ${shellWord(home)}`),
    ];
  const mode = stat.mode & 0o777;
  if ((mode & 0o077) === 0) return [];
  return [problem("home", `${path} is open to others (mode 0${mode.toString(8)})`, `chmod go-rwx ${shellWord(path)}`)];
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}
