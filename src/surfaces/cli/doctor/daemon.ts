import { existsSync, readFileSync } from "node:fs";
import { get } from "node:http";
import type { Client } from "../../../client/client.ts";
import { isUp } from "../../../client/wire.ts";
import { duration } from "../../../core/words/time.ts";
import { whyUnwritable } from "../../../machine/file/why-unwritable.ts";
import { insecureReason, type Paths, readRegistration } from "../../../machine/home.ts";
import { isAlive } from "../../../machine/process/process.ts";
import { stoppedAt } from "../../../machine/program/stopped.ts";
import type { Status } from "../../../protocol/view.ts";
import { type Finding, note, ok, problem } from "../../../core/finding.ts";

const PORT_MS = 2000;
const RESTART = "parley down --force; parley up";

/** Starts nothing. `status` is there when the daemon answers and knows us. */
export async function checkDaemon(
  paths: Paths,
  client: Client,
  version: string,
): Promise<{ findings: Finding[]; status?: Status }> {
  if (!(await isUp(paths))) return { findings: [whyNot(paths)] };
  const status = await client.call("status").catch(() => undefined);
  if (!status) {
    const what = `a daemon answers at ${paths.socket}, but rejects the token in ${paths.registration}`;
    return { findings: [problem("daemon", what, RESTART)] };
  }
  const runs = `Parley ${status.version} runs (pid ${status.pid}, up ${duration(Date.now() - status.startedAt)})`;
  const isOther = status.version !== version;
  const daemon = isOther
    ? note("daemon", `${runs}, but this is Parley ${version}`, "parley restart")
    : ok("daemon", runs);
  return { findings: [daemon, await checkPort(status, readRegistration(paths)?.instance)], status };
}

function whyNot(paths: Paths): Finding {
  const known = readRegistration(paths);
  const runs = known?.state === "running";
  if (runs && isAlive(known.process))
    return problem(
      "daemon",
      `Parley is running (pid ${known.process.pid}), but not responding at ${paths.socket}`,
      RESTART,
    );
  if (stoppedAt(paths) !== undefined)
    return problem("daemon", "Parley was stopped on purpose: questions do not reach it", "parley up");
  const failed = lastFailure(paths);
  if (failed !== undefined)
    return problem("daemon", `Parley did not start: ${failed}`, `parley serve shows it again; its log is ${paths.log}`);
  if (runs)
    return problem(
      "daemon",
      `Parley was killed: ${paths.registration} names pid ${known.process.pid}, which is gone`,
      "parley up",
    );
  if (whyUnwritable(paths.home) !== undefined || insecureHome(paths))
    return problem("daemon", "Parley is not running, and cannot start with such a home", "see home, below");
  return note("daemon", "Parley is not running; the next question or command starts it", "parley up");
}

/** There, and nothing that a daemon would put tokens into. */
function insecureHome({ home }: Paths): boolean {
  return existsSync(home) && insecureReason(home) !== undefined;
}

/** The error that ended the last attempt, when nothing happened after it. */
function lastFailure({ log }: Paths): string | undefined {
  try {
    const line = JSON.parse(readFileSync(log, "utf8").trimEnd().split("\n").at(-1) ?? "") as Record<string, unknown>;
    return line["level"] === "error" && line["message"] === "the daemon did not start"
      ? String(line["error"])
      : undefined;
  } catch {
    return undefined;
  }
}

/** The page and the API are reached there; whoever else answers could show a person anything. */
export async function checkPort(
  { url, port }: Pick<Status, "url" | "port">,
  instance: string | undefined,
): Promise<Finding> {
  if (port === null) return note("port", "Parley has no port: neither page nor API", "parley down; parley up");
  const body = await healthAt(port);
  if (body === undefined) return problem("port", `nothing answers at ${url}`, RESTART);
  if (instance !== undefined && !body.includes(instance))
    return problem("port", `another program answers at ${url}`, "parley down; parley up");
  return ok("port", `${url} answers`);
}

/** Not with fetch: that would go through the proxy of the environment. */
function healthAt(port: number): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const request = get({ host: "127.0.0.1", port, path: "/health", timeout: PORT_MS }, (response) => {
    let body = "";
    response.on("data", (part: Buffer) => (body += part.toString()));
    response.on("end", () => resolve(body));
  });
  request.on("timeout", () => request.destroy());
  request.on("error", () => resolve(undefined));
  request.on("close", () => resolve(undefined));
  return promise;
}
