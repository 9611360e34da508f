import { existsSync } from "node:fs";
import { join } from "node:path";
import { randomBytes } from "node:crypto";
import { ParleyError } from "./core/error.ts";
import type { Finding } from "./core/finding.ts";
import { makeId } from "./core/id.ts";
import { exportAudit, readHead, verifyFile, verifyRecords } from "./hub/audit/audit.ts";
import { digestOf } from "./hub/digest.ts";
import { createEnding, type Ending } from "./machine/process/told-to-end.ts";
import { type Hub, type HubOptions, startHub } from "./hub/hub.ts";
import { firstLink, inviteLink, pageUrl } from "./hub/invite.ts";
import { createPeopleAdmin } from "./hub/admin/people-admin.ts";
import { createPolicyAdmin } from "./hub/admin/policy-admin.ts";
import { trustedProxies } from "./hub/proxy.ts";
import { createRouteAdmin } from "./hub/admin/route-admin.ts";
import { createLog } from "./machine/log.ts";
import { makePrivateDir } from "./machine/file/private-dir.ts";
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

function adminOf(records: HubRecords) {
  const now = () => Date.now();

  return {
    ...createRouteAdmin(records, now),
    ...createPolicyAdmin(records, now),
    ...createPeopleAdmin(records, now),
    async code(ms: number) {
      const code = makeId(randomBytes(16));
      const expiresAt = now() + ms;
      await records.addCode(digestOf(code), expiresAt, now());
      return { code, expiresAt };
    },
    exportAudit: (out: string) => exportAudit(records.audit, out, now()),
    verifyAudit: async (head: string | undefined) =>
      verifyRecords(records.audit, head === undefined ? undefined : await readHead(head), now()),
    forget: (ms: number) => records.audit.forget(now() - ms, now()),
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
