import type { Ask } from "../../../core/ask/ask.ts";
import type { Outcome } from "../../../core/ask/outcome.ts";
import { decisionToSend } from "../../../core/receipt/send.ts";
import type { RemoteRequest } from "../../capability/remote.ts";
import { decision, reply as replyOfFirst } from "../reply.ts";
import { contentOf } from "./form.ts";
import { addressOf } from "./request.ts";

const post = (path: string, body: object = {}): RemoteRequest => ({ method: "POST", path, body });

/** What ends a request with this outcome. Undefined: opencode cannot be told this. */
export function reply(ask: Ask, outcome: Outcome, request: string): RemoteRequest | undefined {
  if (ask.kind === "approval") return decided(ask, outcome, request);
  if (request.includes("/form/")) return filled(ask, outcome, request);
  const first = replyOfFirst(request, ask, outcome);
  return first && post(addressOf(request, first.path.endsWith("/reject") ? "reject" : "reply"), first.body);
}

function filled(ask: Ask, outcome: Outcome, request: string): RemoteRequest | undefined {
  const isStop = outcome.type === "cancelled" && outcome.message === undefined;
  const answer = isStop ? undefined : contentOf(ask.questions, outcome);
  if (answer) return post(addressOf(request, "reply"), { answer });
  return outcome.type === "answered" ? undefined : post(addressOf(request, "cancel"));
}

/** Its tools drop the words of a refusal: they follow as a message, which its model reads with its next step. */
function decided(ask: Ask, outcome: Outcome, request: string): RemoteRequest {
  const sent = decisionToSend(ask, outcome);
  const [answer] = outcome.answers ?? [];
  const words = answer?.note ?? answer?.text ?? outcome.message;
  const main = post(addressOf(request, "reply"), decision(ask, outcome));
  if (sent.allow || sent.interrupt || !words) return main;
  const session = request.slice(0, request.indexOf("/permission/"));
  return { ...main, followUp: post(`${session}/prompt`, { text: sent.message, delivery: "steer" }) };
}
