import { createClient } from "../../../src/client/client.ts";
import { openSqlite } from "../../../src/store/sqlite/open.ts";
import { question } from "../../e2e/api-request.ts";
import { notReplayed } from "../truth.ts";
import { createDisk, type CutKind, type Random } from "./disk.ts";
import { type After, endAll, type Recording } from "./record.ts";

export type Cut = { at: number; kind: CutKind };
/** `promises`: how many had been given when the power went. */
export type CutFindings = { lost: string[]; untrue: string[]; promises: number; unsynced: number };

/** Cuts the power at this place of the log, starts the real daemon on what is left, and compares. */
export async function playCut(
  { program, env, base, ops, promised, heard }: Recording,
  { at, kind }: Cut,
  { random, noSync = false }: { random: Random; noSync?: boolean },
): Promise<CutFindings> {
  const { root, home, paths } = program;
  const disk = createDisk(root, base, { noSync });
  for (const op of ops) if (op.end <= at) disk.take(op);
  const findings: CutFindings = { lost: [], untrue: [], promises: 0, unsynced: disk.unsynced(home) };
  disk.cut(kind, random);
  const given = promised.filter(({ to }) => to <= at);
  findings.promises = given.length;
  try {
    await program.start(env);
    const after = await whatIsThere(program.paths);
    findings.lost.push(...given.filter(({ holds }) => !holds(after)).map(({ kind, what }) => `${kind} ${what}`));
    const early = promised.filter(({ from, kind, holds }) => from >= at && kind !== "cancellation" && holds(after));
    findings.untrue.push(...early.map(({ kind, what }) => `${kind} ${what} was there before it was asked for`));
    await isOfUse(program.paths);
  } catch (error) {
    findings.untrue.push(
      `the daemon: ${(error as Error).message}\n${await Bun.file(paths.log)
        .text()
        .catch(() => "")}`,
    );
  } finally {
    await endAll(home);
  }
  findings.untrue.push(
    ...(await whatIsWrong(
      paths.database,
      heard.filter((each) => each.at <= at).map(({ event }) => event),
    )),
  );
  return findings;
}

async function whatIsThere(paths: Recording["program"]["paths"]): Promise<After> {
  const client = createClient(paths, { wakes: false });
  const [{ asks }, { tasks }] = await Promise.all([
    client.call("listAsks", { query: { state: "all", limit: 500 } }),
    client.call("listTasks", { query: { state: "all", limit: 1000 } }),
  ]);
  return { asks, tasks };
}

/** It goes on as if nothing had been. */
async function isOfUse(paths: Recording["program"]["paths"]): Promise<void> {
  const [client, agent] = (["human", "agent"] as const).map((as) => createClient(paths, { as, wakes: false }));
  const made = await agent?.call("createAsk", { body: { questions: [question()] } });
  await client?.call("settleAsk", { id: made?.id ?? "", body: { action: "answer", answers: [{ picks: [1] }] } });
}

/** The store is whole, its log gives its state, and nobody had heard of anything that is not there. */
async function whatIsWrong(database: string, heard: readonly { seq: number }[]): Promise<string[]> {
  const store = openSqlite(database);
  try {
    const [asks, events] = await Promise.all([store.list({ limit: 100_000 }), store.events({ limit: 1_000_000 })]);
    const bySeq = new Map(events.map((event) => [event.seq, event]));
    const other = heard.filter((event) => !Bun.deepEquals(plain(bySeq.get(event.seq)), plain(event)));
    const told = other.map((event) => `told ${JSON.stringify(event)}, now ${JSON.stringify(bySeq.get(event.seq))}`);
    return [...(await store.problems()), ...notReplayed(asks, events), ...told.slice(0, 3)];
  } catch (error) {
    return [`the store: ${(error as Error).message}`];
  } finally {
    await store.close();
  }
}

const plain = (value: unknown) => JSON.parse(JSON.stringify(value ?? null)) as unknown;
