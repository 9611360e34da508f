import { checkAnswers } from "../core/ask/answer/check-answer.ts";
import { ParleyError } from "../core/error.ts";
import { firstWords } from "../core/words/hub-words.ts";
import { describeOutcome } from "../core/words/outcome/sentence.ts";
import { safeLine } from "../core/text/text.ts";
import type { ToldTrust } from "../core/hub-trust.ts";
import { HUB_PATHS, HubAnswer, type HubAskView, HubNamed, JoinRequest } from "../protocol/hub/hub.ts";
import { PAGE_KEY } from "../protocol/page-key.ts";
import type { AskView } from "../protocol/view.ts";
import type { HubAsk, HubIntent, HubRecords } from "../store/hub/records.ts";
import type { HubHalf } from "../store/hub/halves.ts";
import { type AskViews, bearer, bodyOf, intentView } from "./ask-views.ts";
import { digestOf } from "./digest.ts";
import type { Links } from "./line/links.ts";
import { createSignatures, unsigned } from "./signatures.ts";
import { mayAnswer, refuseSecret, seesProjects } from "./may.ts";
import { safelyParse } from "../core/safely-parse.ts";

type Deps = {
  records: HubRecords;
  now: () => number;
  wake: Links["wake"];
  isHere: Links["isHere"];
  views: AskViews;
  trust: () => Promise<ToldTrust>;
};
const MOST_ASKS = 500;

/** What people and machines ask of a hub over HTTP. Contract: throws a `ParleyError` for what is refused; undefined: no such address. */
export function createHubRoutes({ records, now, wake, isHere, trust, ...given }: Deps) {
  const { actor, find, look, view: viewNow, views, viewOf } = given.views;
  const takeSignature = createSignatures({ trust });

  async function answer(request: Request, prefix: string): Promise<HubAskView> {
    const body = bodyOf(request);
    const looked = look(request, prefix).catch((error: unknown) => error as Error);
    const parsed = safelyParse(HubAnswer, await body);
    const seen = await looked;
    if (seen instanceof ParleyError && seen.code === "unauthorized") throw seen;
    if (!parsed.success) throw new ParleyError("invalid", "This is no answer a hub takes");
    if (seen instanceof Error) throw seen;
    const { signature, ...settlement } = parsed.data;
    const { who, ask: found, beside } = seen;
    const view = found.view as AskView;
    if (!mayAnswer(who, view))
      throw new ParleyError(
        "forbidden",
        `Your role here is ${who.role}: you may not answer ${view.kind === "approval" ? "an approval" : `a ${view.kind}`}`,
      );
    const key = request.headers.get("idempotency-key") ?? crypto.randomUUID();
    // The same request once more: its reply was lost.
    if (found.intent?.key === key && found.intent.member === who.member) return viewOf(found, beside);
    const chosen = beside.halves;
    if (chosen.some((half) => half.key === key && half.member === who.member)) return viewOf(found, beside);
    if (found.intent && found.intent.state !== "withdrawn") refuseSecond(found, found.intent, chosen);
    if (view.state !== "open")
      throw new ParleyError(
        "already_settled",
        `Already settled on ${safeLine(found.machine.name, { max: 40 })}: ${safeLine(describeOutcome(view, now()), { max: 300 })}`,
        {
          details: { outcome: view.outcome },
        },
      );
    refuseSecret(view);
    // What the machine would refuse is refused while another answer can still be given.
    const checked =
      settlement.action === "answer" ? checkAnswers(view.questions, settlement.answers) : { ok: true as const };
    if (!checked.ok)
      throw new ParleyError("invalid", checked.problems.map(({ message }) => message).join("; "), {
        problems: checked.problems,
      });
    const { token } = who;
    // Who shows a token may be any program: a signature is given where its person sees what they sign.
    if (signature && request.headers.get(PAGE_KEY.header) === null) throw unsigned();
    const signed = signature && (await takeSignature(signature, who, found.machine.id, view, settlement));
    const told = isHere(found.machine.id);
    const put = await records.putIntent(
      {
        machine: found.machine.id,
        ask: view.id,
        key,
        settlement,
        token,
        asked: askedOf(view),
        signed,
        told,
      },
      (current) => mayAnswer(current, view),
      now(),
    );
    if (put.type === "refused") throw new ParleyError("forbidden", "You may not answer this any more");
    if (put.type === "gone") throw new ParleyError("already_settled", "It was settled on its machine meanwhile");
    if (put.type === "unsigned") throw unsigned();
    if (put.type === "second") refuseSecond(found, put.intent, await records.halves([view.id]));
    const alone = put.type === "put" && put.isAlone ? put.intent : undefined;
    if (put.type === "put") void wake(found.machine.id, told ? alone : undefined);
    // Nobody is on it any more who was.
    return alone ? viewOf({ ...found, intent: alone }, { ...beside, claims: [] }) : viewNow(await find(view.id, who));
  }

  /** An answer that was given is taken back, unless its machine has it. */
  async function takeBack(request: Request, prefix: string): Promise<HubAskView> {
    const who = await actor(request);
    const found = await find(prefix, who);
    const ask = (found.view as AskView).id;
    const result = await records.takeBack({ machine: found.machine.id, ask, token: who.token }, now());
    if (result === "refused") throw new ParleyError("forbidden", "It is not your answer: an admin may take it back");
    if (result === "none")
      throw new ParleyError("already_settled", "No answer to it is on its way: there is nothing to take back");
    // Whoever is told that it is asked for may count on it: a machine that sleeps hears it with the answer.
    if (result === "asked") await wake(found.machine.id);
    return viewNow(await find(ask, who));
  }

  function refuseSecond({ machine, view }: HubAsk, intent: HubIntent, chosen: readonly HubHalf[]): never {
    const given = intentView(
      intent,
      chosen.filter((half) => half.machine === machine.id),
    );
    const first = firstWords(given, (view as AskView).questions);
    throw new ParleyError("already_settled", first, { details: { intent: given } });
  }

  async function join(request: Request): Promise<object> {
    const parsed = safelyParse(JoinRequest, await bodyOf(request));
    if (!parsed.success) throw new ParleyError("invalid", "This is not how a machine joins");
    const { code, machine, token, projects } = parsed.data;
    const name = safeLine(machine.name, { max: 80 });
    const made = { id: machine.id, name, token: digestOf(token), projects };
    if (await records.join(digestOf(code), made, now()))
      return { machine: { id: machine.id, name }, trust: await trust() };
    const named = await records.joinJob(digestOf(code), made, now());
    if (!named)
      throw new ParleyError(
        "forbidden",
        "This code is unknown here, was used, or has ended. Make another: parley hub code",
      );
    return { machine: { id: machine.id, name }, projects: named, trust: await trust() };
  }

  return async function handle(request: Request): Promise<object | undefined> {
    const { pathname, searchParams } = new URL(request.url);
    const line = `${request.method} ${pathname}`;
    if (line === `POST ${HUB_PATHS.join}`) return join(request);
    if (line === `POST ${HUB_PATHS.leave}`) return { left: await records.leave(digestOf(bearer(request)), now()) };
    if (line === `GET ${HUB_PATHS.asks}`) {
      const who = await actor(request);
      const seen = seesProjects(who);
      const asked = searchParams.get("project");
      if (seen !== null && asked !== null && !seen.includes(asked)) return { asks: [] };
      const limit = Math.min(MOST_ASKS, Math.max(1, Number(searchParams.get("limit")) || 100));
      const [, at, id = ""] = /^(\d{1,15})\.([a-z0-9]+)$/.exec(searchParams.get("after") ?? "") ?? [];
      const open = searchParams.get("state") !== "all";
      const after = at === undefined ? undefined : { at: Number(at), id };
      const [named, machine] = [searchParams.get("for"), searchParams.get("machine")];
      const member = named === null ? {} : { member: { named: named === "me" ? who.member : named, now: now() } };
      const only = { ...member, ...(machine !== null && { machine }) };
      const asks = await records.asks({ open, projects: asked === null ? seen : [asked], limit, after, ...only });
      const last = (asks.length === limit && open ? asks.at(-1)?.view : undefined) as AskView | undefined;
      return { asks: await views(asks), ...(last && { next: `${last.createdAt}.${last.id}` }) };
    }
    if (line === `POST ${HUB_PATHS.asks}`) {
      const who = await actor(request);
      const parsed = safelyParse(HubNamed, await bodyOf(request));
      if (!parsed.success) throw new ParleyError("invalid", "These are no ids of questions, or too many");
      return { asks: await views(await records.asksNamed(parsed.data.ids, seesProjects(who))) };
    }
    const [, id, act] = /^\/api\/asks\/([^/]+)(\/answer|\/take-back)?$/.exec(pathname) ?? [];
    if (id !== undefined && act === "/take-back" && request.method === "POST") return takeBack(request, id);
    if (id !== undefined && act === "/answer" && request.method === "POST") return answer(request, id);
    if (id !== undefined && act === undefined && request.method === "GET") {
      const { ask, beside } = await look(request, id);
      return viewOf(ask, beside);
    }
    return undefined;
  };
}

/** What was decided on, for the log. */
const askedOf = ({ version, kind, questions }: AskView): object => ({ version, kind, questions });
