import postgres from "postgres";

export type Value = string | number | null | readonly (string | number | null)[];
export type Run = <T extends object>(text: string, values?: readonly Value[]) => Promise<T[]>;

/** Where the database is and how long anything there may take. */
export type Target = {
  /** Several hosts with commas; the password is better given apart. */
  url: string;
  password?: string | undefined;
  schema: string;
  /** For one statement, told to the server. */
  statementMs: number;
  /** For a lock, told to the server. */
  lockMs: number;
  /** For one statement as seen from here: a server that has vanished keeps no limit of its own. */
  silenceMs: number;
};

/** Connections that are given up together: once one is lost, nothing more is said on any of them. */
export type Line = {
  run: Run;
  lose(reason: Error): void;
  isLost(): boolean;
  /** Of the process at the other end that serves it, as was said when it was opened. */
  pid(): number | undefined;
  end(): Promise<void>;
};

type Options = {
  size: number;
  /** One connection, and what is said on it stays there: nothing that waits to be sent is said on another one later. */
  alone?: boolean;
  /** Without any wish for the connection: to look at what refuses them. */
  bare?: boolean;
  heard?: (channel: string, payload: string) => void;
  onLost?: () => void;
};

/**
 * The library dials again by itself when a connection is lost, in the middle of a transaction too: what is said next would be
 * said outside of it. So a line that lost a connection is never used again; whoever needs one opens another.
 */
export function openLine(target: Target, { size, alone = false, bare = false, heard, onLost }: Options): Line {
  let lost: Error | undefined;
  const waiting = new Set<(reason: Error) => void>();
  let pid: number | undefined;
  const sql = postgres(target.url, {
    ...(target.password !== undefined && { password: target.password }),
    // Of several hosts the one that takes changes. The library's `read-write` is content with a standby.
    ...(isSeveral(target.url) && { target_session_attrs: "primary" as const }),
    max: size,
    max_lifetime: null,
    connect_timeout: Math.ceil(target.silenceMs / 1000),
    keep_alive: 15,
    connection: bare
      ? { application_name: "parley" }
      : {
          application_name: "parley",
          search_path: target.schema,
          statement_timeout: target.statementMs,
          lock_timeout: target.lockMs,
          idle_in_transaction_session_timeout: target.silenceMs,
          // Acknowledged is on disk, whatever the server's own default is.
          synchronous_commit: "on",
          // A statement keeps the plan that was made for it while its table was empty, which is to read all of it.
          enable_seqscan: "off",
          // What reads all of a table nevertheless now counts as so dear that it would be compiled first.
          jit: "off",
          // One plan for all values. The server takes one made for these values for cheaper, and makes it anew each time: that takes longer than to read.
          plan_cache_mode: "force_generic_plan",
        },
    types: { number: { to: 20, from: [20], parse: Number, serialize: String } },
    onnotice: () => undefined,
    onclose: () => lose(new LineLost("the connection was closed")),
    ...(heard && { onnotify: heard }),
  });

  function lose(reason: Error): void {
    if (lost) return;
    lost = reason;
    for (const giveUp of waiting) giveUp(reason);
    void sql.end({ timeout: 0 }).catch(() => undefined);
    onLost?.();
  }

  const own = alone ? sql.reserve() : undefined;
  // Whoever says something on it hears of it.
  own?.catch(() => undefined);
  let said: Pick<typeof sql, "unsafe"> | undefined = own ? undefined : sql;

  async function run<T extends object>(text: string, values: readonly Value[] = []): Promise<T[]> {
    if (lost) throw lost;
    const { promise: silence, reject: giveUp } = Promise.withResolvers<never>();
    waiting.add(giveUp);
    const timer = setTimeout(
      () => lose(new LineLost(`nothing was heard for ${target.silenceMs} ms`)),
      target.silenceMs,
    );
    try {
      said ??= await Promise.race([own ?? sql, silence]);
      const query = said.unsafe<T[]>(text, [...values] as never[], { prepare: values.length > 0 });
      const rows = await Promise.race([query.execute(), silence]);
      if (text === "COMMIT" && rows.command !== "COMMIT") throw new NotCommitted("the transaction was not committed");
      pid = rows.state?.pid ?? pid;
      return rows;
    } finally {
      clearTimeout(timer);
      waiting.delete(giveUp);
    }
  }

  return {
    run,
    lose,
    isLost: () => lost !== undefined,
    pid: () => pid,
    async end() {
      lost ??= new LineLost("it was ended");
      if (own) await own.then((each) => each.release()).catch(() => undefined);
      await sql.end({ timeout: Math.ceil(target.silenceMs / 1000) });
    },
  };
}

const isSeveral = (url: string): boolean => /^[^/]*\/\/[^/?]*,/.test(url);

export class LineLost extends Error {
  readonly code = "LINE_LOST";
}

/** The server was asked to commit and undid it: something that was said before has failed. */
export class NotCommitted extends Error {}

/** Told by the server, or by whatever is between: the same may go well on another connection, or a moment later. */
export function isPassing(error: unknown): boolean {
  const code = codeOf(error);
  return (
    /^(08(?!P01)|57P0|53300$|25006$|40001$|40P01$|55P03$)/.test(code) ||
    /^(LINE_LOST|CONNECT_TIMEOUT|CONNECTION_\w+|ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOENT|ENOTFOUND|EAI_AGAIN|ERR_SOCKET\w*)$/.test(
      code,
    )
  );
}

/** The server took a connection and it serves no longer: the next one may lead to another host. */
export const isOfLine = (error: unknown): boolean => isPassing(error) && !/^(40|55)/.test(codeOf(error));

/** A value that the database does not take, as against a database that does not work. */
export const isRefusedRow = (error: unknown): boolean => /^(22|23|54)/.test(codeOf(error));

/** Of statements of one transaction, sent without waiting, what the first one failed with: the rest fail because of it. */
export async function causeOf(statements: readonly Promise<unknown>[]): Promise<{ reason: unknown } | undefined> {
  const failed = (await Promise.allSettled(statements)).filter((each) => each.status === "rejected");
  return failed.find(({ reason }) => codeOf(reason) !== IN_FAILED_TRANSACTION) ?? failed[0];
}

/** Waits for all of them. */
export async function together(statements: readonly Promise<unknown>[]): Promise<void> {
  const cause = await causeOf(statements);
  if (cause) throw cause.reason;
}

const IN_FAILED_TRANSACTION = "25P02";

export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
