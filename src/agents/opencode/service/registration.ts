import { basename, dirname, join } from "node:path";
import { z } from "zod";
import type { Registration, ServicePlace } from "../../capability/service.ts";
import { safelyParse } from "../../../core/safely-parse.ts";

/** `service.json`, of another channel `service-<channel>.json`; the first preview wrote `server.json`. */
const NAME = /^(?:service(?:-[\w.-]+)?|server)\.json$/;
const Written = z.looseObject({
  url: z.string().max(2000),
  pid: z.int().positive(),
  version: z.string().max(200).catch(""),
  password: z.string().min(1).max(1000).optional().catch(undefined),
});
const HERE = /^(?:127(?:\.\d+){3}|localhost|\[::1\])$/;

/** Beside `~/.config`, or where the variables say. A set-up for one project alone is none for a service of all of them. */
export function places(settings: string, env: Record<string, string | undefined>): ServicePlace[] {
  const config = dirname(dirname(dirname(settings)));
  if (basename(dirname(dirname(settings))) === ".opencode") return [];
  const home = basename(config) === ".config" ? dirname(config) : env["HOME"];
  const isOwn = home !== undefined && home === env["HOME"];
  const [state, data] = [isOwn && env["XDG_STATE_HOME"], isOwn && env["XDG_DATA_HOME"]];
  if (home === undefined) return [];
  return [
    {
      folder: join(state || join(home, ".local/state"), "opencode"),
      records: join(data || join(home, ".local/share"), "opencode"),
    },
  ];
}

export function registered(
  name: string,
  text: string,
  beside: (name: string) => string | undefined,
): Registration | undefined {
  if (!NAME.test(name)) return undefined;
  const written = safelyParse(Written, parsed(text)).data;
  const address = URL.parse(written?.url ?? "");
  if (!written || address?.protocol !== "http:") return undefined;
  // It may listen everywhere; its password goes to this machine alone.
  if (address.hostname === "0.0.0.0") address.hostname = "127.0.0.1";
  if (!HERE.test(address.hostname)) return undefined;
  const password = written.password ?? (name === "server.json" ? beside("password")?.trim() : undefined);
  return { url: address.origin, pid: written.pid, version: written.version, ...(password && { password }) };
}

const Health = z.looseObject({ healthy: z.literal(true), pid: z.number().optional().catch(undefined) });

/** The first preview does not say which process it is. */
export function isIt(body: unknown, { pid }: Registration): boolean {
  const said = safelyParse(Health, body).data;
  return said !== undefined && (said.pid === undefined || said.pid === pid);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
