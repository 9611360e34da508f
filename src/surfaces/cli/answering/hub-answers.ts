import { readFileSync } from "node:fs";
import type { HubClient } from "../../../client/hub-client.ts";
import { ParleyError } from "../../../core/error.ts";
import { hubMismatchesOf } from "../../../core/receipt/hub-mismatch.ts";
import { keepList } from "../../../machine/file/kept-list.ts";
import { makePrivateDir } from "../../../machine/file/private-dir.ts";
import type { Paths } from "../../../machine/home.ts";
import type { HubAskView } from "../../../protocol/hub/hub.ts";
import type { Context } from "../context.ts";
import { mismatchLines } from "./tell-mismatches.ts";

type HubAnswer = { hub: string; ask: string };
/** A shell that answers more than this before it looks again hears of the newest. */
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
    keepList(paths.hubAnswers, [...kept(paths), answer].slice(-MOST));
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
    const looked = await Promise.all(here.map(async ({ ask }) => ({ ask, view: await look(hub, ask) })));
    const over = new Map(looked.filter(({ view }) => !view || isOver(view)).map(({ ask, view }) => [ask, view]));
    if (over.size === 0) return [];
    const left = kept(paths).filter(({ hub: url, ask }) => url !== hub.url || !over.has(ask));
    keepList(paths.hubAnswers, left);
    return [...over.values()].flatMap((view) => (view ? hubMismatchesOf(view, me, Date.now()) : []));
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

function kept({ hubAnswers }: Paths): HubAnswer[] {
  try {
    const found: unknown = JSON.parse(readFileSync(hubAnswers, "utf8"));
    const isAnswer = (each: Partial<HubAnswer> | null): each is HubAnswer =>
      typeof each?.hub === "string" && typeof each.ask === "string";
    return Array.isArray(found) ? found.filter(isAnswer) : [];
  } catch {
    return [];
  }
}
