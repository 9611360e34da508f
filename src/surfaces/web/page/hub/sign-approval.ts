import { answerText, approvalText, shownText } from "../../../../core/hub-approval.ts";
import type { HubAskView, HubSettlementInput } from "../../../../protocol/hub/hub.ts";
import { usePasskey } from "./passkey.ts";

const PATIENCE_MS = 5 * 60_000;

/** A person's passkey says that they gave this answer to this question, as it stands on the page, on its machine. */
export async function signApproval(
  ask: HubAskView,
  decided: Pick<HubSettlementInput, "action" | "answers" | "message">,
  passkeys: readonly string[],
): Promise<{ id: string }> {
  const [shown, answer] = await Promise.all([shownText(ask), answerText(decided)].map(hex));
  const text = approvalText({ machine: ask.machine.id, ask: ask.id, shown: shown ?? "", answer: answer ?? "" });
  const challenge = base64url(await digest(text));
  const allowCredentials = passkeys.map((id) => ({ id, type: "public-key" }));
  const options = { challenge, rpId: location.hostname, userVerification: "required", timeout: PATIENCE_MS };
  return (await usePasskey({ ...options, allowCredentials })) as { id: string };
}

const digest = async (text: string): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
const hex = async (text: string): Promise<string> =>
  Array.from(await digest(text), (byte) => byte.toString(16).padStart(2, "0")).join("");
const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
