import { existsSync } from "node:fs";
import { join } from "node:path";
import { randomBytes } from "node:crypto";
import { ParleyError } from "./core/error.ts";
import type { Finding } from "./core/finding.ts";
import { makeId } from "./core/id.ts";
import { exportAudit, readHead, verifyFile, verifyRecords } from "./hub/audit/audit.ts";
import { digestOf, newSecret } from "./hub/digest.ts";
import { createEnding, type Ending } from "./machine/process/told-to-end.ts";
import { type Hub, type HubOptions, startHub } from "./hub/hub.ts";
import { firstLink, inviteLink, pageUrl } from "./hub/invite.ts";
import { createPolicyAdmin } from "./hub/policy-admin.ts";
import { trustedProxies } from "./hub/proxy.ts";
import { createRouteAdmin } from "./hub/route-admin.ts";
import { createLog } from "./machine/log.ts";
import { makePrivateDir } from "./machine/file/private-dir.ts";
import { SILENCE_MS } from "./protocol/hub/hub.ts";
import { createHubRecords, type HubRecords } from "./store/hub/records.ts";
import { pageFiles } from "./surfaces/web/bundle.ts";

/** Where a hub keeps what it knows: a folder of this machine, or PostgreSQL. */
export type Place = { data: string } | { database: string; password?: string | undefined };
type Serve = {
  listen: { host: string; port: number };
  tls?: { cert: string; key: string };
  /** Networks whose proxies are believed. */
  trusted?: readonly string[];
  plain?: boolean;
  version: string;
  /** Where people open its page, as they typed it. */
  page?: string | undefined;
  claimMs: number;
  /** How long it goes on after SIGTERM while it says that it will end. */
  drainMs: number;
  push?: { text: boolean; anywhere: boolean };
  up: (there: { url: string; page?: string; firstMemberLink?: string }) => void;
};

async function openRecords(place: Place): Promise<HubRecords> {
  const records = await openStored(place);
  try {
    await records.audit.begin(Date.now());
    return records;
  } catch (error) {
    await records.close();
    throw error;
  }
}

async function openStored(place: Place): Promise<HubRecords> {
  if ("database" in place) {
    const { openHubPostgres } = await import("./store/postgres/hub.ts");
    return createHubRecords(await openHubPostgres({ url: place.database, password: place.password }));
  }
  process.umask(0o077);
  makePrivateDir(place.data);
  const { openHubSqlite } = await import("./store/sqlite/hub.ts");
  return createHubRecords(openHubSqlite(join(place.data, "hub.db")));
}

/** A hub in this process until it is told to end. */
export async function serveHub(
  place: Place,
  { listen, tls, trusted, plain = false, version, up, claimMs, drainMs, push, ...given }: Serve,
): Promise<void> {
  const proxies = trusted && trusted.length > 0 ? { proxies: trustedProxies(trusted) } : {};
  const named = given.page === undefined ? undefined : pageUrl(given.page);
  const records = await openRecords(place);
  const now = () => Date.now();
  const log = createLog((line) => process.stderr.write(line), now);
  const { told, again } = onSignals();
  process.on("unhandledRejection", (error) => log("error", "unhandled", { error: String(error) }));
  const hub = await startedOrBusy(listen, records, {
    records,
    listen,
    version,
    now,
    log,
    plain,
    claimMs,
    push,
    page: named,
    files: pageFiles,
    ...proxies,
    ...(tls && { tls }),
  });
  void told.then(() => hub.retire());
  // Where its database does not answer it can be told to end all the same.
  await Promise.race([announce(), told]);
  const signal = await told;
  log("info", "the hub ends", { signal, drainSeconds: signal === "SIGTERM" ? drainMs / 1000 : 0 });
  // Nobody balances load to a hub that somebody ends with Ctrl-C.
  if (signal === "SIGTERM") await Promise.race([Bun.sleep(drainMs), again]);
  await hub.stop(again);

  async function announce(): Promise<void> {
    const { url, page } = hub;
    if (page !== undefined) await records.setFact("url", page);
    const firstMemberLink = page === undefined ? undefined : await firstLink(records, page, now());
    up({ url, ...(page !== undefined && { page }), ...(firstMemberLink !== undefined && { firstMemberLink }) });
  }
}

function onSignals(): Pick<Ending, "told" | "again"> {
  const ending = createEnding(() => performance.now());
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => ending.tell(signal));
  return ending;
}

/** Contract: throws with the records closed. */
async function startedOrBusy({ host, port }: Serve["listen"], records: HubRecords, options: HubOptions): Promise<Hub> {
  try {
    return startHub(options);
  } catch (error) {
    await records.close();
    if (!(error instanceof Error) || !("code" in error) || error.code !== "EADDRINUSE") throw error;
    const words = `Something listens at ${host}:${port} already: end it, or choose another place with --listen`;
    throw new ParleyError("busy", words, { cause: error });
  }
}

/** What somebody on the hub's own machine does, with the same database. */
export async function withHub<T>(place: Place, work: (admin: ReturnType<typeof adminOf>) => Promise<T>): Promise<T> {
  const records = await openRecords(place);
  try {
    return await work(adminOf(records));
  } finally {
    await records.close();
  }
}

/** States of machines and members that do nothing any more. */
const OVER: ReadonlySet<string> = new Set(["revoked", "left", "ended"]);

function adminOf(records: HubRecords) {
  const now = () => Date.now();
  const machines = async () => {
    const [jobs, left] = await Promise.all([records.jobs(), records.leftMachines()]);
    return (await records.machines()).map(({ id, name, projects, joinedAt, seenAt, revokedAt, link }) => ({
      id,
      name,
      state: jobs.get(id)?.isEnded
        ? "ended"
        : revokedAt !== null
          ? left.has(id)
            ? "left"
            : "revoked"
          : link !== null && now() - seenAt < SILENCE_MS
            ? "online"
            : "offline",
      projects,
      joinedAt,
      seenAt,
    }));
  };
  const members = async () =>
    (await records.members(now())).map(({ id, name, roles, madeAt, revokedAt }) => ({
      id,
      name,
      state: revokedAt === null ? "active" : "revoked",
      roles,
      madeAt,
    }));

  return {
    ...createRouteAdmin(records, now),
    ...createPolicyAdmin(records, now),
    machines,
    members,
    async code(ms: number) {
      const code = makeId(randomBytes(16));
      const expiresAt = now() + ms;
      await records.addCode(digestOf(code), expiresAt, now());
      return { code, expiresAt };
    },
    async token({
      member,
      role,
      project,
      ms,
    }: {
      member: string;
      role: string;
      project?: string | undefined;
      ms?: number | undefined;
    }) {
      const token = newSecret();
      const expiresAt = ms === undefined ? null : now() + ms;
      const made = {
        hash: digestOf(token),
        id: makeId(randomBytes(16)),
        name: member,
        role,
        project: project ?? null,
        expiresAt,
      };
      if (!(await records.addToken(made, now())))
        throw new ParleyError("forbidden", `${member} was revoked here; another name is another member`);
      return {
        token,
        member,
        role,
        ...(project !== undefined && { project }),
        ...(expiresAt !== null && { expiresAt }),
      };
    },
    async machineToken({ name, projects, ms }: { name: string; projects: readonly string[]; ms?: number | undefined }) {
      const token = newSecret();
      const expiresAt = ms === undefined ? null : now() + ms;
      const id = makeId(randomBytes(16));
      await records.addMachineToken({ hash: digestOf(token), id, name, projects, expiresAt }, now());
      return { token, id, machine: name, projects: [...projects], ...(expiresAt !== null && { expiresAt }) };
    },
    exportAudit: (out: string) => exportAudit(records.audit, out, now()),
    verifyAudit: async (head: string | undefined) =>
      verifyRecords(records.audit, head === undefined ? undefined : await readHead(head), now()),
    forget: (ms: number) => records.audit.forget(now() - ms, now()),
    sessions: () => records.sessions(now()),
    async invite(wish: {
      name: string;
      role: string;
      project?: string | undefined;
      ms: number;
      url?: string | undefined;
    }) {
      const url = wish.url === undefined ? await records.readFact("url") : pageUrl(wish.url);
      if (url === undefined)
        throw new ParleyError("usage", "Where is the hub's page? Start it with --url https://name, or say --url here");
      return inviteLink(records, url, wish, now(), wish.ms);
    },
    /** By id, the beginning of one, or a name. */
    async revoke(typed: string) {
      const all = [
        ...(await machines()).map((each) => ({ ...each, isOver: OVER.has(each.state), what: "machine" })),
        ...(await members()).map((each) => ({ ...each, isOver: OVER.has(each.state), what: "member" })),
        ...(await records.machineTokens()).map((each) => ({
          ...each,
          isOver: each.revokedAt !== null,
          what: "machine token",
        })),
        ...(await records.sessions(now())).map(({ id, memberName }) => ({
          id,
          name: `${memberName}'s`,
          isOver: false,
          what: "browser",
        })),
      ];
      const exact = all.filter(({ id, name }) => id === typed || name === typed);
      const named = exact.length > 0 ? exact : all.filter(({ id }) => typed !== "" && id.startsWith(typed));
      // Nobody means one that is over, where another one of that name is there.
      const there = named.filter(({ isOver }) => !isOver);
      const [found, ...others] = there.length > 0 ? there : named;
      if (!found)
        throw new ParleyError("not_found", "No such machine or member. See: parley hub machines, parley hub members");
      if (others.length > 0) throw new ParleyError("ambiguous", "Several are called so: name one by its id");
      if (found.what === "machine token") await records.revokeMachineToken(found.id, now());
      if (found.what === "browser") await records.endSession({ id: found.id, by: "host" }, now());
      else await records.revoke(found.id, now());
      return { id: found.id, name: found.name, what: found.what, state: "revoked" };
    },
  };
}

/** An exported log, on any machine. */
export const verifyAuditFile = async (file: string, head: string | undefined) =>
  verifyFile(file, head === undefined ? undefined : await readHead(head));

export async function examineHub(place: Place): Promise<Finding[]> {
  if ("database" in place) {
    const { examinePostgres } = await import("./store/postgres/examine.ts");
    const { targetOf } = await import("./store/postgres/open.ts");
    return examinePostgres(targetOf({ url: place.database, password: place.password }));
  }
  if (!existsSync(join(place.data, "hub.db")))
    return [{ check: "store", level: "note", message: `there is no hub in ${place.data} yet: it will be made` }];
  try {
    const records = await openRecords(place);
    await records.isThere();
    await records.close();
    return [{ check: "store", level: "ok", message: `${place.data} can be read and written` }];
  } catch (error) {
    return [
      {
        check: "store",
        level: "problem",
        message: (error as Error).message,
        fix: "Look at the folder and its rights.",
      },
    ];
  }
}
