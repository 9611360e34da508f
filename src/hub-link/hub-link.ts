import { randomBytes } from "node:crypto";
import { rmSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { ERRORS, type ErrorCode, ParleyError } from "../core/error.ts";
import { makeId } from "../core/id.ts";
import { laterTrust, type ToldTrust, type Trust } from "../core/hub-trust.ts";
import { safeLine } from "../core/text/text.ts";
import { realPath } from "../machine/file/real-path.ts";
import { pause } from "../machine/time/pause.ts";
import { HUB_PATHS, JobJoined, JoinedTrust } from "../protocol/hub/hub.ts";
import { ErrorBody } from "../protocol/view.ts";
import { type Job, jobFrom } from "./job.ts";
import { type Joined, keepJoined, readJoined } from "./joined.ts";
import { accepted, firstTrust, newerTrust, NO_TRUST, trustView } from "./trust.ts";
import type { LeftOut } from "./without.ts";
import { type LinkDeps, type LinkState, openLink } from "./link.ts";
import { hubAway, hubUrl } from "../machine/hub-url.ts";

const PATIENCE_MS = 60_000;
/** It has left by then: whoever typed it does not wait for a hub that says nothing. */
const GOODBYE_MS = 3000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;
type Place = { file: string; env?: Record<string, string | undefined>; now: () => number };
type Wanted = {
  url: string;
  code: string;
  projects: readonly string[];
  name?: string | undefined;
  plain?: boolean | undefined;
  ca?: string | undefined;
  without?: LeftOut[] | undefined;
  tasks?: boolean | undefined;
};
export type HubLink = ReturnType<typeof createHubLink>;

/** This machine's side of a hub: nothing of it runs before somebody joins one. */
export function createHubLink({ file, env = {}, now, ...deps }: LinkDeps & Place) {
  const ending = new AbortController();
  let joined: Joined | undefined;
  let line: { stop(): void } | undefined;
  let state: { state: LinkState; since: number } | undefined;
  /** The same code again is the same machine: the reply may have been lost. */
  let tried: { code: string; id: string; token: string } | undefined;
  // What is joined changes one after the other: what a hub said before somebody left is not written down after it.
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work);
    turn = mine.catch(() => undefined);
    return mine;
  };

  function connect(): void {
    if (!joined) return;
    const { machine, job: isJob = false } = joined;
    const onState = (next: LinkState) => {
      if (state?.state !== next) state = { state: next, since: now() };
      // It was silent for too long, and another machine has to come in its place.
      if (next === "revoked" && isJob) void joinAsJob();
    };
    line = openLink({
      ...deps,
      joined,
      onState,
      trust: { now: trustNow, told: (told) => hearTrust(machine.id, told) },
    });
  }

  const trustNow = (): Trust => joined?.trust ?? NO_TRUST;

  /** From the line of this machine: it may have left since, or be another one. */
  const hearTrust = (machine: string, told: ToldTrust): Promise<void> =>
    inTurn(async () => {
      const next = joined?.machine.id === machine ? newerTrust(trustNow(), told) : undefined;
      if (next) await keepTrust(next);
    });

  /** In turn. */
  async function keepTrust(trust: Trust): Promise<void> {
    if (!joined) return;
    const made = { ...joined, trust };
    await keepJoined(file, made);
    joined = made;
  }

  /** Contract: false, and nothing is changed, where it has left `before` meanwhile, or joined another one. */
  const become = (make: (known: Joined | undefined) => Joined, before: string | undefined): Promise<Joined | false> =>
    inTurn(async () => {
      if (joined?.machine.id !== before) return false;
      const made = make(joined);
      await keepJoined(file, made);
      [joined, tried] = [made, undefined];
      return made;
    });

  function said({ machine, url, projects, without = [], tasks, trust = NO_TRUST }: Joined) {
    const shown = trustView(trust);
    const isKnown = Object.values(shown).some((part) => part.length > 0);
    const choices = { ...(without.length > 0 && { without }), ...(tasks && { tasks }) };
    return { machine, hub: url, projects, ...choices, ...(isKnown && { trust: shown }) };
  }

  /** Whoever started this daemon has named a hub and a token: again and again until that hub answers. */
  async function joinAsJob(): Promise<void> {
    try {
      const job = jobFrom(env);
      if (!job) return;
      for (let wait = FIRST_PAUSE_MS; !ending.signal.aborted; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
        if (await tryJob(job)) return;
        await pause(wait * (0.5 + Math.random() / 2), ending.signal);
      }
    } catch (error) {
      deps.log("error", "this job does not share its questions with the hub", { error: String(error) });
    }
  }

  async function tryJob({ url, token: code, ca }: Job): Promise<boolean> {
    tried = tried?.code === code ? tried : freshMachine(code);
    const { id, token } = tried;
    const from = await deps.store.lastSeq();
    const machine = { id, name: safeLine(env["PARLEY_HUB_MACHINE_NAME"] ?? (hostname() || "job"), { max: 80 }) };
    const before = joined?.machine.id;
    try {
      const said = await post(url, HUB_PATHS.join, { code, machine, token, projects: [] }, { ca });
      const projects = JobJoined.parse(said).projects;
      const made = (known?: Joined): Joined => ({
        url,
        machine,
        token,
        projects,
        joinedAt: now(),
        from,
        ...(ca !== undefined && { ca }),
        ...trustIn(said, known?.trust),
        job: true,
      });
      const isIn = await become(made, before);
      if (!isIn) void post(url, HUB_PATHS.leave, {}, { token, ca, patience: GOODBYE_MS }).catch(() => undefined);
      else if (!ending.signal.aborted) connect();
      return true;
    } catch (error) {
      if (!(error instanceof ParleyError) || error.code !== "hub_away") throw error;
      deps.log("warn", "the hub of this job is away", { hub: url, error: error.message });
      return false;
    }
  }

  return {
    start(): void {
      joined = readJoined(file);
      if (joined) connect();
      else void joinAsJob();
    },
    stop(): void {
      ending.abort();
      line?.stop();
      // With this daemon the job is over; the hub hears it by how the line ends.
      if (joined?.job) rmSync(file, { force: true });
    },
    state: () => ({ joined: joined !== undefined, ...(joined && { ...said(joined), ...state }) }),
    async join({
      url: typed,
      code,
      projects,
      name = hostname() || "machine",
      plain = false,
      ca,
      without = [],
      tasks = false,
    }: Wanted) {
      if (joined && state?.state !== "revoked")
        throw new ParleyError("busy", `This machine has joined ${joined.url} already. Leave it first: parley leave`);
      const url = hubUrl(typed, plain);
      const folders = projects.map(folderOf);
      tried = tried?.code === code ? tried : freshMachine(code);
      const { id, token } = tried;
      const from = await deps.store.lastSeq();
      const machine = { id, name: safeLine(name, { max: 80 }) };
      const before = joined?.machine.id;
      const reply = await post(url, HUB_PATHS.join, { code, machine, token, projects: folders }, { ca });
      const wanted: Joined = {
        url,
        machine,
        token,
        projects: folders,
        joinedAt: now(),
        from,
        ...(ca !== undefined && { ca }),
        ...trustIn(reply),
        without,
        ...(tasks && { tasks }),
      };
      const made = await become(() => wanted, before);
      if (!made) throw new ParleyError("busy", "This machine was told to leave or to join meanwhile. Try again");
      line?.stop();
      connect();
      return said(made);
    },
    /** What the hub has changed counts from now on, where a person has seen it: they name it by its marks. */
    accept: (marks: readonly string[]) =>
      inTurn(async () => {
        const next = accepted(trustNow(), marks);
        if (!joined || !next)
          throw new ParleyError("not_found", "Nothing with such a mark waits to be accepted. See: parley join");
        await keepTrust(next);
        return said(joined);
      }),
    /** `told`: the hub knows; without it, it will hear of this machine no more, and lists it until somebody revokes it. */
    async leave() {
      const gone = await inTurn(async () => {
        line?.stop();
        if (joined) await keepJoined(file, undefined);
        const was = joined;
        [joined, line, state] = [undefined, undefined, undefined];
        return was;
      });
      if (!gone) return { left: false };
      const { url, token, ca } = gone;
      const told = await post(url, HUB_PATHS.leave, {}, { token, ca, patience: GOODBYE_MS }).then(
        () => true,
        () => false,
      );
      return { left: true, hub: url, told };
    },
  };
}

/** Whoever joins a hub takes its people and demands as they are then; `known`: it was there before, and nobody looks. */
function trustIn(reply: unknown, known?: Trust): { trust?: Trust } {
  const { trust } = JoinedTrust.safeParse(reply ?? {}).data ?? {};
  const next = trust ? (known ? laterTrust(known, trust) : firstTrust(trust)) : known;
  return next ? { trust: next } : {};
}

const freshMachine = (code: string) => ({
  code,
  id: makeId(randomBytes(16)),
  token: `pm_${randomBytes(32).toString("base64url")}`,
});

function folderOf(path: string): string {
  const folder = realPath(path);
  if (folder !== undefined && statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new ParleyError("invalid", `There is no folder ${safeLine(path, { max: 200 })}`);
}

type As = { token?: string | undefined; ca?: string | undefined; patience?: number };

async function post(
  url: string,
  path: string,
  body: object,
  { token, ca, patience = PATIENCE_MS }: As,
): Promise<unknown> {
  const headers = {
    "content-type": "application/json",
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const signal = AbortSignal.timeout(patience);
  const tls = ca === undefined ? {} : { tls: { ca } };
  const request = { method: "POST", headers, body: JSON.stringify(body), signal, redirect: "error" as const, ...tls };
  const response = await fetch(`${url}${path}`, request).catch((cause: unknown) => {
    throw hubAway(url, cause);
  });
  if (response.ok) return response.json().catch(() => undefined);
  const parsed = ErrorBody.safeParse(await response.json().catch(() => undefined));
  if (!parsed.success) throw new ParleyError("hub_away", `What answers at ${url} is no hub (${response.status})`);
  const { code, message } = parsed.data.error;
  throw new ParleyError((code in ERRORS ? code : "internal") as ErrorCode, safeLine(message, { max: 300 }));
}
