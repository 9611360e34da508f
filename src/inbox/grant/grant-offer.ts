import { createHash } from "node:crypto";
import { accessSync, constants } from "node:fs";
import { resolve } from "node:path";
import type { Ask } from "../../core/ask/ask.ts";
import type { Actor } from "../../core/ask/outcome.ts";
import type { ToolCall } from "../../core/ask/tool-call.ts";
import { ParleyError } from "../../core/error.ts";
import { endOf, type Grant, type GrantPattern } from "../../core/grant/grant.ts";
import { namedCommands } from "../../core/grant/named-commands.ts";
import { makeId } from "../../core/id.ts";
import { isAllowed } from "../../core/receipt/send.ts";
import { patternTitle, savedWords } from "../../core/words/grant-words.ts";
import type { GrantOffer } from "../../protocol/grant.ts";
import type { Store } from "../../store/store.ts";
import { folderFor, grammar, placeAt, planAccepted } from "./grants.ts";
import type { HeldBack } from "./held-back.ts";
import type { Clock } from "../inbox.ts";

type Deps = { store: Store; heldBack: HeldBack; now: Clock };
type Named = { pattern: GrantPattern; folder: string };
export type GrantOffers = ReturnType<typeof createGrantOffers>;

/** So many equal approvals within a day: then a grant is proposed, once. */
const ENOUGH = 3;
const DAY_MS = 86_400_000;
/** Of what was asked last: what a look costs must not grow with what was ever asked. */
const MOST_LOOKED_AT = 400;
const LOOKED_AT_BYTES = 8 * 1024 * 1024;
const TIMES: [ms: number, end: string][] = [
  [30 * 60_000, "30m"],
  [2 * 3_600_000, "2h"],
];

/** What may be granted with an Ask, and what is proposed. Contract: nothing here gives anything. */
export function createGrantOffers({ store, heldBack, now }: Deps) {
  /** The pattern of exactly this call. */
  async function exactly(call: ToolCall | undefined, cwd: string | undefined): Promise<Named | { refused: string }> {
    if (!call || cwd === undefined) return { refused: ONLY_KNOWN };
    const folder = await folderFor(call, cwd);
    if (folder === undefined) return { refused: "its folder is gone" };
    const { exactPatternFor, readGrant } = await grammar();
    const exact = exactPatternFor(call, folder, placeAt(cwd));
    if ("refused" in exact) return exact;
    const read = readGrant({ pattern: exact.pattern, folder });
    return "refused" in read ? read : { pattern: exact.pattern, folder };
  }

  /** The commands that a plan names, where each is one that can be granted. */
  async function namedBy({ questions, origin: { cwd } }: Ask): Promise<(Named & { held?: string })[]> {
    const commands = namedCommands(questions[0]?.body ?? "");
    const found: (Named & { held?: string })[] = [];
    for (const { text, isShell } of commands) {
      const call: ToolCall = { type: "command", command: text };
      const named = await exactly(call, cwd);
      if ("refused" in named || (!isShell && !(await isProgram(text, cwd ?? "/")))) continue;
      if (found.some(({ pattern }) => pattern.text === named.pattern.text)) continue;
      const held = await heldBack.why({ call, cwd, text });
      found.push({ ...named, ...(held !== undefined && { held }) });
    }
    return found;
  }

  async function callsOf(ask: Ask): Promise<{ calls: (Named & { held?: string })[]; refused?: string }> {
    if (ask.kind === "plan") {
      const calls = await namedBy(ask);
      return calls.length > 0 ? { calls } : { calls, refused: "the plan names no command that can be granted" };
    }
    if (ask.kind !== "approval") return { calls: [], refused: "only a permission prompt or a plan can be granted" };
    const named = await exactly(ask.call, ask.origin.cwd);
    return "refused" in named ? { calls: [], refused: named.refused } : { calls: [named] };
  }

  async function endsOf({ kind, origin }: Ask): Promise<string[]> {
    if (kind === "plan") return ["plan"];
    const hasPlan = origin.session !== undefined && (await planAccepted(store, origin.session));
    return ["30m", "2h", "10x", ...(origin.task === undefined ? [] : ["task"]), ...(hasPlan ? ["plan"] : [])];
  }

  /** Where a person allowed the same so often in this project that it could have been one grant. */
  async function proposalFor(ask: Ask): Promise<GrantOffer["proposal"]> {
    const { project, task } = ask.origin;
    if (ask.kind !== "approval" || project === undefined || (ask.outcome && !isByPerson(ask))) return undefined;
    const named = await exactly(ask.call, ask.origin.cwd);
    if ("refused" in named || (await store.grant(declinedId(named)))) return undefined;
    const since = await sinceLast(named, ask);
    if (since === undefined || (await heldBack.isMustAsk(ask))) return undefined;
    const recent = await store.list({ order: "newest", limit: MOST_LOOKED_AT, maxBytes: LOOKED_AT_BYTES });
    const equal: Ask[] = [];
    for (const each of recent) {
      const isCandidate = each.createdAt > since && each.kind === "approval" && each.origin.project === project;
      if (isCandidate && isByPerson(each) && each.origin.task === task && (await isEqual(each, named)))
        equal.push(each);
    }
    const [last, first] = [equal[0], equal.at(-1)];
    if (equal.length < ENOUGH || !last || !first) return undefined;
    const ms = Math.max(1000, (last.settledAt ?? last.createdAt) - first.createdAt);
    return {
      for: TIMES.find(([most]) => ms <= most)?.[1] ?? "8h",
      pattern: named.pattern.text,
      folder: named.folder,
      title: patternTitle(named.pattern),
      times: equal.length,
      ms,
      words: savedWords(equal.length, ms),
    };
  }

  const isEqual = async (ask: Ask, named: Named): Promise<boolean> => {
    const other = await exactly(ask.call, ask.origin.cwd);
    return "pattern" in other && other.folder === named.folder && isSamePattern(other.pattern, named.pattern);
  };

  /** Only what was asked after it counts; undefined: one that counts now allows this already. */
  async function sinceLast(named: Named, { call, origin: { cwd = "/", session, task } }: Ask) {
    const { readGrant } = await grammar();
    const isOver = (grant: Grant) => endOf(grant, now()) !== undefined;
    let since = now() - DAY_MS;
    for (const grant of await store.grants({ limit: 500 })) {
      if (grant.state === "declined") continue;
      const { end } = grant;
      const isOurs = (end.task ?? task) === task && (end.plan ?? session) === session;
      const read = isOver(grant) || !isOurs ? undefined : readGrant(grant);
      if (call && read && "pattern" in read && read.pattern(call, placeAt(cwd))) return undefined;
      if (grant.folder === named.folder && isSamePattern(grant.pattern, named.pattern))
        since = Math.max(since, grant.endedAt ?? grant.givenAt);
    }
    return since;
  }

  return {
    namedBy,
    async offer(ask: Ask): Promise<GrantOffer> {
      const { calls, refused } = await callsOf(ask);
      const proposal = await proposalFor(ask);
      return {
        ends: calls.length === 0 ? [] : await endsOf(ask),
        calls: calls.map((call) => ({ ...call, title: patternTitle(call.pattern) })),
        ...(refused !== undefined && { refused }),
        ...(proposal && { proposal }),
      };
    },
    /** Contract: it is never proposed again, for this pattern in this folder. */
    async decline(ask: Ask, by: Actor): Promise<Grant> {
      const named = await exactly(ask.call, ask.origin.cwd);
      if (ask.kind !== "approval" || "refused" in named)
        throw new ParleyError("invalid", "Nothing is proposed with this question");
      const id = declinedId(named);
      const { project } = ask.origin;
      const event = { type: "grant.declined", grant: id, ...named, ...(project !== undefined && { project }) } as const;
      const result = await store.append({
        at: now(),
        grant: { id, expected: 0, events: [{ ...event, by, from: ask.id }] },
      });
      const grant = result.type === "replayed" ? undefined : result.grant;
      if (!grant) throw new ParleyError("internal", "the decision was not written");
      return grant;
    },
  };
}

export const ONLY_KNOWN = "only commands, files and web addresses that are known in full can";

/** One for each pattern and folder, found without a search. */
function declinedId({ pattern: { type, text }, folder }: Named): string {
  return makeId(
    createHash("sha256")
      .update(JSON.stringify(["declined", type, text, folder]))
      .digest(),
  );
}

/** A person allowed it, here or in the agent's own dialog. */
const isByPerson = (ask: Ask): boolean =>
  isAllowed(ask) && ask.outcome?.grant === undefined && !["rule", "brain"].includes(ask.outcome?.actor.type ?? "");

const isSamePattern = (a: GrantPattern, b: GrantPattern): boolean => a.type === b.type && a.text === b.text;

/** In a sentence `npm test` is a command, `createUser` is none. */
async function isProgram(command: string, cwd: string): Promise<boolean> {
  const { shellWords } = await import("../../core/grant/shell-words.ts");
  const read = shellWords(command);
  const [name = ""] = "words" in read ? read.words : [];
  if (!name.includes("/")) return Bun.which(name) !== null;
  try {
    accessSync(resolve(cwd, name), constants.X_OK);
    return "words" in read && (read.words.length > 1 || name.startsWith("./"));
  } catch {
    return false;
  }
}
