import { ParleyError } from "../core/error.ts";
import { answerText, approvalText, shownText } from "../core/hub-approval.ts";
import type { ToldTrust } from "../core/hub-trust.ts";
import { isProof } from "../machine/passkey-proof.ts";
import type { HubSettlement } from "../protocol/hub/hub.ts";
import type { AskView } from "../protocol/view.ts";
import type { Signed } from "../store/hub/halves.ts";
import type { HubActor } from "../store/hub/records.ts";
import { digestOf } from "./digest.ts";

/** What somebody is told whose answer needs their passkey. */
export const unsigned = (): ParleyError =>
  new ParleyError(
    "forbidden",
    "This answer has to be signed with your passkey: give it on the hub's page. A token cannot sign",
    { details: { needs: "signed" } },
  );

/**
 * What a member's passkey says, looked at before it is taken: the machine that asked looks at it again, by keys of its own.
 * Contract: throws unless it is this member's, for exactly this Ask as it is now and this answer.
 */
export function createSignatures({ trust }: { trust: () => Promise<ToldTrust> }) {
  return async function take(
    response: { id: string },
    { member }: Pick<HubActor, "member">,
    machine: string,
    view: AskView,
    settlement: HubSettlement,
  ): Promise<Signed> {
    const key = (await trust()).keys.find((each) => each.id === response.id && each.member === member);
    if (!key) throw new ParleyError("forbidden", "It was signed with a passkey that is not yours here");
    const [shown, answer] = [digestOf(shownText(view)), digestOf(answerText(settlement))];
    if (!(await isProof(response, approvalText({ machine, ask: view.id, shown, answer }), key)))
      throw new ParleyError("forbidden", "This signature is not for this question as it is now, and this answer");
    return { passkey: key.id, shown, answer, response };
  };
}
