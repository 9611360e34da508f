import { post } from "../send/post.ts";
import { encrypt, type Keys } from "./encrypt.ts";
import { type Payload, topicOf } from "./payload.ts";
import { checkService } from "./push-service.ts";
import { authorization, type Vapid } from "./vapid.ts";

/** For so long a service keeps it for a phone that is off. */
const KEPT_SECONDS = 7 * 86_400;
type By = { vapid: Vapid; isPrivateFine: boolean; at: number };

/** One message to one browser, encrypted for it. Contract: throws a SendError where it was not taken. */
export async function sendPush(
  { endpoint, p256dh, auth }: Keys & { endpoint: string },
  payload: Payload,
  { vapid, isPrivateFine, at }: By,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  await checkService(endpoint, isPrivateFine, signal);
  const headers = {
    authorization: authorization(endpoint, vapid, at),
    "content-encoding": "aes128gcm",
    "content-type": "application/octet-stream",
    ttl: String(KEPT_SECONDS),
    topic: topicOf(payload.tag),
    urgency: payload.type === "close" ? "normal" : "high",
  };
  const body = new Uint8Array(encrypt(Buffer.from(JSON.stringify(payload)), { p256dh, auth }));
  const response = await post({ method: "POST", url: endpoint, headers, body }, signal);
  await response.body?.cancel();
}
