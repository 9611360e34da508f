import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { hostname } from "node:os";
import { ERRORS, type ErrorCode, ParleyError } from "../core/error.ts";
import { makeId } from "../core/id.ts";
import { safeLine } from "../core/text/text.ts";
import { realPath } from "../machine/real-path.ts";
import { HUB_PATHS } from "../protocol/hub.ts";
import { ErrorBody } from "../protocol/view.ts";
import { type Joined, keepJoined, readJoined } from "./joined.ts";
import { type LinkDeps, type LinkState, openLink } from "./link.ts";
import { hubAway, hubUrl } from "../machine/hub-url.ts";

const PATIENCE_MS = 60_000;
type Wanted = {
  url: string;
  code: string;
  projects: readonly string[];
  name?: string | undefined;
  plain?: boolean | undefined;
};
export type HubLink = ReturnType<typeof createHubLink>;

/** This machine's side of a hub: nothing of it runs before somebody joins one. */
export function createHubLink({ file, now, ...deps }: LinkDeps & { file: string; now: () => number }) {
  let joined: Joined | undefined;
  let line: { stop(): void } | undefined;
  let state: { state: LinkState; since: number } | undefined;
  /** The same code again is the same machine: the reply may have been lost. */
  let tried: { code: string; id: string; token: string } | undefined;

  function connect(): void {
    if (!joined) return;
    const onState = (next: LinkState) => {
      if (state?.state !== next) state = { state: next, since: now() };
    };
    line = openLink({ ...deps, joined, onState });
  }

  function said({ machine, url, projects }: Joined) {
    return { machine, hub: url, projects };
  }

  return {
    start(): void {
      joined = readJoined(file);
      connect();
    },
    stop: () => line?.stop(),
    state: () => ({ joined: joined !== undefined, ...(joined && { ...said(joined), ...state }) }),
    async join({ url: typed, code, projects, name = hostname() || "machine", plain = false }: Wanted) {
      if (joined && state?.state !== "revoked")
        throw new ParleyError("busy", `This machine has joined ${joined.url} already. Leave it first: parley leave`);
      const url = hubUrl(typed, plain);
      const folders = projects.map(folderOf);
      if (tried?.code !== code)
        tried = { code, id: makeId(randomBytes(16)), token: `pm_${randomBytes(32).toString("base64url")}` };
      const { id, token } = tried;
      const from = await deps.store.lastSeq();
      const machine = { id, name: safeLine(name, { max: 80 }) };
      await post(url, HUB_PATHS.join, { code, machine, token, projects: folders });
      const made = { url, machine, token, projects: folders, joinedAt: now(), from };
      await keepJoined(file, made);
      [joined, tried] = [made, undefined];
      line?.stop();
      connect();
      return said(made);
    },
    /** `told`: the hub knows; without it, it will hear of this machine no more, and lists it until somebody revokes it. */
    async leave() {
      if (!joined) return { left: false };
      const { url, token } = joined;
      line?.stop();
      await keepJoined(file, undefined);
      [joined, line, state] = [undefined, undefined, undefined];
      const told = await post(url, HUB_PATHS.leave, {}, token).then(
        () => true,
        () => false,
      );
      return { left: true, hub: url, told };
    },
  };
}

function folderOf(path: string): string {
  const folder = realPath(path);
  if (folder !== undefined && statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new ParleyError("invalid", `There is no folder ${safeLine(path, { max: 200 })}`);
}

async function post(url: string, path: string, body: object, token?: string): Promise<void> {
  const headers = {
    "content-type": "application/json",
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const request = { method: "POST", headers, body: JSON.stringify(body), signal, redirect: "error" as const };
  const response = await fetch(`${url}${path}`, request).catch((cause: unknown) => {
    throw hubAway(url, cause);
  });
  if (response.ok) return;
  const parsed = ErrorBody.safeParse(await response.json().catch(() => undefined));
  if (!parsed.success) throw new ParleyError("hub_away", `What answers at ${url} is no hub (${response.status})`);
  const { code, message } = parsed.data.error;
  throw new ParleyError((code in ERRORS ? code : "internal") as ErrorCode, safeLine(message, { max: 300 }));
}
