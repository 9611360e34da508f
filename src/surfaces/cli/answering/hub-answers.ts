import { readdirSync, readFileSync, renameSync, rmSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HubClient } from "../../../client/hub-client.ts";
import { ParleyError } from "../../../core/error.ts";
import { hubMismatchesOf } from "../../../core/receipt/hub-mismatch.ts";
import { makePrivateDir } from "../../../machine/file/private-dir.ts";
import type { Paths } from "../../../machine/home.ts";
import type { HubAskView } from "../../../protocol/hub/hub.ts";
import type { Context } from "../context.ts";
import { mismatchLines } from "./tell-mismatches.ts";

type HubAnswer = { hub: string; ask: string };
/** `file`: each has one of its own, so that shells that answer at the same time lose nothing of each other's. */
type Kept = HubAnswer & { file: string };
/** Who answers more than this before looking again hears of the newest. */
const MOST = 50;
const isOver = ({ state, intent }: HubAskView): boolean =>
  ["verified", "mismatched", "closed"].includes(state) || ["overtaken", "withdrawn"].includes(intent?.state ?? "");

/**
 * Kept until it is known what the agent received: whoever answered here hears with a later command that it was something
 * else. Contract: never fails; the answer is on its way already.
 */
export function noteHubAnswer(paths: Paths, answer: HubAnswer): void {
  try {
    makePrivateDir(paths.home);
    makePrivateDir(paths.hubAnswers);
    for (const { file } of kept(paths).slice(0, 1 - MOST)) rmSync(file, { force: true });
    const file = join(paths.hubAnswers, `${crypto.randomUUID()}.json`);
    writeFileSync(`${file}.new`, JSON.stringify(answer), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch {
    // The hub's page and inbox say it all the same.
  }
}

/** What was answered from this shell and received otherwise, each once. Contract: never fails; what cannot be seen now is told later. */
export async function hubMismatches(paths: Paths, hub: HubClient): Promise<string[]> {
  const here = kept(paths).filter(({ hub: url }) => url === hub.url);
  if (here.length === 0) return [];
  try {
    const { id: me } = await hub.me();
    const looked = await Promise.all(here.map(async (each) => ({ ...each, view: await look(hub, each.ask) })));
    const over = looked.filter(({ view, file }) => (!view || isOver(view)) && isRemoved(file));
    // Answered twice, as after it was taken back, it is said once.
    const views = new Map(over.flatMap(({ ask, view }) => (view ? [[ask, view] as const] : [])));
    return [...views.values()].flatMap((view) => hubMismatchesOf(view, me, Date.now()));
  } catch {
    return [];
  }
}

/** Behind what a command over the hub shows to a person. */
export async function tellHubMismatches({ terminal, paths }: Context, hub: HubClient): Promise<void> {
  if (terminal.errIsTty) for (const text of await hubMismatches(paths, hub)) terminal.err(`\n${mismatchLines(text)}`);
}

/** Undefined: the hub does not know it any more, or shows it to this person no longer. */
async function look(hub: HubClient, id: string): Promise<HubAskView | undefined> {
  try {
    return await hub.ask(id);
  } catch (error) {
    if (error instanceof ParleyError && error.code === "not_found") return undefined;
    throw error;
  }
}

/** Of several commands that look at the same time one tells it. */
function isRemoved(file: string): boolean {
  try {
    unlinkSync(file);
    return true;
  } catch {
    return false;
  }
}

/** The oldest first. */
function kept({ hubAnswers }: Paths): Kept[] {
  try {
    const files = readdirSync(hubAnswers).filter((name) => name.endsWith(".json"));
    const found = files.flatMap((name) => read(join(hubAnswers, name)));
    return found.toSorted((a, b) => a.at - b.at).map(({ at: _at, ...each }) => each);
  } catch {
    return [];
  }
}

function read(file: string): (Kept & { at: number })[] {
  try {
    const found = JSON.parse(readFileSync(file, "utf8")) as Partial<HubAnswer> | null;
    if (typeof found?.hub !== "string" || typeof found.ask !== "string") return [];
    return [{ hub: found.hub, ask: found.ask, file, at: statSync(file).mtimeMs }];
  } catch {
    // Another command has told it.
    return [];
  }
}
