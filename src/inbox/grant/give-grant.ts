import { existsSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import type { Ask } from "../../core/ask/ask.ts";
import type { Actor } from "../../core/ask/outcome.ts";
import { settle } from "../../core/ask/settle.ts";
import { isAllowed } from "../../core/receipt/send.ts";
import { ParleyError } from "../../core/error.ts";
import type { Grant, GrantEnd, GrantPattern } from "../../core/grant/grant.ts";
import { ENDS, readEnd } from "../../core/grant/read-end.ts";
import { makeId } from "../../core/id.ts";
import { realPath } from "../../machine/file/real-path.ts";
import type { Store } from "../../store/store.ts";
import { type GrantOffers, ONLY_KNOWN } from "./grant-offer.ts";
import { folderFor, grammar, type Grants, onceOption, placeAt, planAccepted } from "./grants.ts";
import type { Clock, Inbox } from "../inbox.ts";

/** What a person wants, in their words. `for`: 30m, 10x, task, plan. */
export type GrantWish = { for?: string | undefined; pattern?: string | undefined; folder?: string | undefined };
/** Of a plan: which of the calls it names, and the option that accepts it. */
export type PlanWish = GrantWish & { patterns?: string[] | undefined; pick?: number | undefined };
type Shown = Pick<Grant, "pattern" | "folder" | "end" | "project">;
type Deps = { store: Store; inbox: Inbox; grants: Grants; offers: GrantOffers; now: Clock };

/** Grants as a person gives, changes and takes them back. Contract: nobody else's; each can be looked at before it counts. */
export function createGrantGiving({ store, inbox, grants, offers, now }: Deps) {
  /** What they would be: one, or of a plan one for each call it names. */
  async function drafts(ask: Ask, wish: PlanWish): Promise<[Shown, ...Shown[]]> {
    if (ask.kind === "plan") return ofPlan(ask, wish);
    if (wish.patterns !== undefined || wish.pick !== undefined)
      throw refused("patterns", "Only a plan names several calls");
    return [await draft(ask, wish)];
  }

  /** Contract: only what the plan names, to the letter, in the folder it was made in, and until it is done. */
  async function ofPlan(ask: Ask, wish: PlanWish): Promise<[Shown, ...Shown[]]> {
    const { origin } = ask;
    if (origin.session === undefined || (wish.for ?? "plan") !== "plan")
      throw refused("for", "The calls of a plan are granted until it is done: plan");
    if (wish.folder !== undefined) throw refused("folder", "The calls of a plan are granted where it was made");
    const named = await offers.namedBy(ask);
    const wanted = wish.patterns ?? (wish.pattern === undefined ? undefined : [wish.pattern]);
    const unknown = wanted?.find((text) => !named.some(({ pattern }) => pattern.text === text.trim()));
    if (unknown !== undefined)
      throw refused("pattern", `The plan does not name the command ${JSON.stringify(unknown)}`);
    const isWanted = (text: string, held: string | undefined) =>
      wanted ? wanted.some((each) => each.trim() === text) : held === undefined;
    const end = { plan: origin.session, ...(origin.turn !== undefined && { turn: origin.turn }) };
    const project = origin.project === undefined ? {} : { project: origin.project };
    const [first, ...more] = named
      .filter(({ pattern, held }) => isWanted(pattern.text, held))
      .map(({ pattern, folder }): Shown => ({ pattern, folder, end, ...project }));
    if (!first) throw refused("pattern", "This cannot be granted: the plan names no command that can be granted");
    return [first, ...more];
  }

  /** What it would be. Throws where it could match something else than it says. */
  async function draft(ask: Ask, wish: GrantWish): Promise<Shown> {
    const { call, origin } = ask;
    if (!call || origin.cwd === undefined) throw refused("pattern", `This cannot be granted: ${ONLY_KNOWN}`);
    const folder =
      wish.folder === undefined
        ? realFolder((await folderFor(call, origin.cwd)) ?? origin.cwd, undefined)
        : realFolder(wish.folder, origin.cwd);
    const { exactPatternFor, readGrant } = await grammar();
    const place = placeAt(origin.cwd);
    const exact = exactPatternFor(call, folder, place);
    if ("refused" in exact) throw refused("pattern", `This cannot be granted: ${exact.refused}`);
    const pattern: GrantPattern =
      wish.pattern === undefined ? exact.pattern : { type: call.type, text: wish.pattern.trim() };
    const read = readGrant({ pattern, folder });
    if ("refused" in read)
      throw refused("pattern", `No grant can have the pattern ${JSON.stringify(pattern.text)}: ${read.refused}`);
    if (!read.pattern(call, place))
      throw refused("pattern", `The pattern ${JSON.stringify(pattern.text)} does not match what is asked about`);
    const end = await endFor(ask, wish.for ?? "");
    return { pattern, folder, end, ...(origin.project !== undefined && { project: origin.project }) };
  }

  async function endFor({ origin }: Ask, text: string): Promise<GrantEnd> {
    const wanted = readEnd(text, now());
    if (!wanted) throw refused("for", `A grant is for ${ENDS}, not ${JSON.stringify(text)}`);
    if ("task" in wanted) {
      if (origin.task === undefined) throw refused("for", "No task asks this: give it for a time or for calls");
      return { task: origin.task };
    }
    if (!("plan" in wanted)) return wanted;
    if (origin.session === undefined || !(await planAccepted(store, origin.session)))
      throw refused("for", "No plan was accepted in this session: give it for a time or for calls");
    return { plan: origin.session, ...(origin.turn !== undefined && { turn: origin.turn }) };
  }

  return {
    drafts,
    /**
     * Approves the call or plan at hand, where it waits, and gives the grant: both or neither. The other calls of a plan follow
     * one by one; whatever comes between, what is missing asks.
     */
    async give(id: string, wish: PlanWish, by: Actor): Promise<{ ask: Ask; grants: [Grant, ...Grant[]] }> {
      const { id: whole } = await inbox.get(id);
      const name = newId();
      let others: Shown[] = [];
      const { ask, grant } = await inbox.changeWithGrant(whole, async (current) => {
        const [shown, ...more] = await drafts(current, wish);
        others = more;
        if (current.outcome && !isAllowed(current))
          throw new ParleyError("already_settled", "It was not approved, so nothing is granted");
        const answers = [{ picks: [pickOf(current, wish.pick)] }];
        const events = current.outcome ? [] : [settle(current, { action: "answer", answers }, by, now())];
        return { events, grant: { type: "grant.given", grant: name, ...shown, by, from: current.id } };
      });
      const given: [Grant, ...Grant[]] = [grant];
      for (const shown of others) {
        const next = newId();
        const event = { type: "grant.given", grant: next, ...shown, by, from: ask.id } as const;
        const result = await store.append({ at: now(), grant: { id: next, expected: 0, events: [event] } });
        if (result.type === "done" && result.grant) given.push(result.grant);
      }
      return { ask, grants: given };
    },
    /** What a live one would be with these changes. */
    async redraft(id: string, wish: GrantWish): Promise<Grant> {
      const grant = await find(id);
      if (grant.state !== "live") throw new ParleyError("invalid", "This grant has ended; give another one");
      const pattern = wish.pattern === undefined ? grant.pattern : { ...grant.pattern, text: wish.pattern.trim() };
      const folder = wish.folder === undefined ? grant.folder : realFolder(wish.folder, grant.folder);
      const { readGrant } = await grammar();
      const read = readGrant({ pattern, folder });
      if ("refused" in read)
        throw refused("pattern", `No grant can have the pattern ${JSON.stringify(pattern.text)}: ${read.refused}`);
      const wanted = wish.for === undefined ? undefined : readEnd(wish.for, now());
      if (wish.for !== undefined && (!wanted || "task" in wanted || "plan" in wanted))
        throw refused("for", `A grant is changed to a time or calls (30m, 10x), not ${JSON.stringify(wish.for)}`);
      // So many more, from now on.
      const more = !wanted
        ? grant.end
        : "calls" in wanted
          ? { calls: grant.used + wanted.calls }
          : (wanted as GrantEnd);
      // Whose calls they are stays.
      const { task, plan, turn } = grant.end;
      const whose = { ...(task && { task }), ...(plan && { plan }), ...(turn && { turn }) };
      const end: GrantEnd = { ...whose, ...more };
      return { ...grant, pattern, folder, end };
    },
    async edit(id: string, wish: GrantWish, by: Actor): Promise<Grant> {
      const { id: whole, pattern, folder, end } = await this.redraft(id, wish);
      return grants.change(whole, ({ state }) =>
        state === "live" ? [{ type: "grant.edited", grant: whole, pattern, folder, end, by }] : [],
      );
    },
    async revoke(id: string, by: Actor): Promise<Grant> {
      const { id: whole } = await find(id);
      return grants.change(whole, ({ state }) =>
        state === "live" ? [{ type: "grant.revoked", grant: whole, by }] : [],
      );
    },
    find,
  };

  /** By its id or a unique beginning of it. */
  async function find(id: string): Promise<Grant> {
    const found = await store.grant(id);
    if (found) return found;
    const like = id === "" ? [] : (await store.grants({ limit: 1000 })).filter((grant) => grant.id.startsWith(id));
    const [first, ...others] = like;
    if (!first) throw new ParleyError("not_found", `No grant "${id}". See: parley grants`);
    if (others.length > 0)
      throw new ParleyError("ambiguous", `"${id}" matches several grants: ${like.map((each) => each.id).join(", ")}`);
    return first;
  }
}

const newId = () => makeId(crypto.getRandomValues(new Uint8Array(16)));

function pickOf({ questions }: Ask, wished: number | undefined): number {
  if (wished === undefined) return onceOption(questions);
  if (questions[0]?.options[wished]?.effect !== "allow")
    throw refused("pick", "Only what accepts the plan can be picked with a grant");
  return wished;
}

function realFolder(folder: string, from: string | undefined): string {
  const path = isAbsolute(folder) ? folder : resolve(from ?? "/", folder);
  const real = realPath(path);
  if (real === undefined || !existsSync(real)) throw refused("folder", `There is no folder ${JSON.stringify(folder)}`);
  return real;
}

function refused(field: string, message: string): ParleyError {
  return new ParleyError("invalid", message, { problems: [{ field, message }] });
}
