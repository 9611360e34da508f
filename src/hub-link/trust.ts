import { answerText, approvalText, shownText } from "../core/hub-approval.ts";
import { needsIn, policiesFor, type Policy } from "../core/hub-policy.ts";
import { firstTrust, laterTrust, type MemberKey, type ToldTrust, type Trust } from "../core/hub-trust.ts";
import { safeLine } from "../core/text/text.ts";
import { policyWords } from "../core/words/hub-words.ts";
import { isProof, sha256Of } from "../machine/passkey-proof.ts";
import type { FromHub } from "../protocol/hub/hub.ts";
import { AskView } from "../protocol/view.ts";

type Intent = Extract<FromHub, { type: "intent" }>;
type Person = { id: string; name: string };
/** What a passkey said for this machine's own records. */
export type SignedBy = Person & { passkey: string; response: Record<string, unknown> };
export type Judged = { ok: false; why: string } | { ok: true; members: Person[]; signed: SignedBy[] };

export { firstTrust };
export const NO_TRUST: Trust = { keys: [], policies: [], waiting: [], dropped: [] };

/** Undefined: it says nothing new. */
export function newerTrust(known: Trust, told: ToldTrust): Trust | undefined {
  const next = laterTrust(known, told);
  return JSON.stringify(next) === JSON.stringify(known) ? undefined : next;
}

/** Names all of it: what is accepted by its mark is what was shown. */
export const keyMark = ({ id, member, name, publicKey, rpId }: MemberKey): string =>
  markOf(["key", id, member, name, publicKey, rpId]);
export const policyMark = ({ two, signed, project, kind, stake }: Policy): string =>
  markOf(["demand", two, signed, project, kind, stake]);
const markOf = (parts: readonly unknown[]): string =>
  (sha256Of(JSON.stringify(parts)).slice(0, 20).match(/.{5}/g) ?? []).join("-");

/** As a person is shown it. */
export function trustView({ keys, waiting, policies, dropped }: Trust) {
  const shown = (key: MemberKey) => ({ name: key.name, member: key.member, mark: keyMark(key) });
  const gone = new Set(dropped.map(policyMark));
  return {
    keys: keys.map(shown),
    waiting: waiting.map(shown),
    demands: policies.map((each) => ({
      words: policyWords(each),
      mark: policyMark(each),
      dropped: gone.has(policyMark(each)),
    })),
  };
}

/** Undefined: none of these marks is of something that waits. */
export function accepted(known: Trust, marks: readonly string[]): Trust | undefined {
  const keys = known.waiting.filter((key) => marks.includes(keyMark(key)));
  const policies = known.dropped.filter((each) => marks.includes(policyMark(each)));
  if (keys.length + policies.length === 0) return undefined;
  const gone = new Set(policies.map(policyMark));
  return {
    keys: [...known.keys, ...keys],
    waiting: known.waiting.filter((key) => !keys.includes(key)),
    policies: known.policies.filter((each) => !gone.has(policyMark(each))),
    dropped: known.dropped.filter((each) => !gone.has(policyMark(each))),
  };
}

/**
 * Was it given as this machine demands? By the keys it knows, not by what the hub says of them. Contract: `view` is the Ask
 * as the hub was told of it; of those who signed, the names are the ones that this machine knows.
 */
export async function judgeIntent(intent: Intent, view: AskView, trust: Trust, machine: string): Promise<Judged> {
  const { member, others = [], signed = [], settlement, ask } = intent;
  const people = new Map([...others, member].map(({ id, name }) => [id, { id, name }]));
  const policies = policiesFor(trust.policies, view);
  const needs = needsIn(policies);
  const demandOf = (what: "two" | "signed") =>
    demandWords(
      policies.filter((each) => each[what]),
      trust.dropped,
    );
  if (needs.two && people.size < 2)
    return {
      ok: false,
      why: `This machine takes such an answer of two people, and one gave it${demandOf("two")}`,
    };
  const proofs: SignedBy[] = [];
  const text = signed.length === 0 ? "" : signedText();
  for (const { id, name } of people.values()) {
    const proof = signed.find((each) => each.member === id);
    const key = proof && trust.keys.find((each) => each.member === id && each.id === proof.response["id"]);
    if (key && (await isProof(proof.response, text, key)))
      proofs.push({ id, name: key.name, passkey: key.id, response: proof.response });
    else if (needs.signed) {
      const why = refusal(safeLine(name, { max: 40 }), proof, key, trust.waiting);
      return { ok: false, why: proof ? why : `${why}${demandOf("signed")}` };
    }
  }
  const known = (person: Person): Person => proofs.find(({ id }) => id === person.id) ?? person;
  const members = [...people.values()].map(known).map(({ id, name }) => ({ id, name }));
  return { ok: true, members, signed: proofs };

  /** What each of them has signed. */
  function signedText(): string {
    // What goes through the hub is filled in there: here it is made the same.
    const told = AskView.parse(JSON.parse(JSON.stringify(view)));
    const [shown, answer] = [sha256Of(shownText(told)), sha256Of(answerText(settlement))];
    return approvalText({ machine, ask, shown, answer });
  }
}

/** So many are named; more are seen where they are accepted. */
const MOST_NAMED = 2;

/** By which policies, and what to do about it: a hub that has dropped them asked nobody for more. */
function demandWords(policies: readonly Policy[], dropped: readonly Policy[]): string {
  const gone = new Set(dropped.map(policyMark));
  const named = policies.slice(0, MOST_NAMED).map(policyWords).join("; ");
  const isMore = policies.length > MOST_NAMED;
  const which = ` (${named}${isMore ? " …" : ""})`;
  if (!policies.every((each) => gone.has(policyMark(each)))) return `. The hub demands it by now: answer again${which}`;
  const marks = isMore ? "" : policies.map((each) => ` --accept ${policyMark(each)}`).join("");
  // What to type comes first: a list shows the beginning of a sentence.
  return `. The hub has dropped that; to accept it, on this machine: parley join${marks}${which}`;
}

function refusal(
  name: string,
  proof: { response: Record<string, unknown> } | undefined,
  key: MemberKey | undefined,
  waiting: readonly MemberKey[],
): string {
  // Whether there was one is not known here: a hub that does not demand it passes none on.
  if (!proof) return `This machine takes no such answer without a signature, and none of ${name} came with it`;
  if (key) return `The signature of ${name} is not for this question, as this machine has it, and this answer`;
  const isNew = waiting.some(({ id }) => id === proof.response["id"]);
  return isNew
    ? `The passkey of ${name} is new, and nobody has accepted it on this machine: parley join`
    : `This machine does not know the passkey of ${name}`;
}
