import { createHmac } from "node:crypto";
import type { Messenger } from "./messenger.ts";
import { post } from "./send/post.ts";

/** Events posted to an address of the person's choice, signed so that the receiver knows who sent them. */
export function createWebhook({ now }: { now: () => number }): Messenger {
  return {
    name: "webhook",
    links: true,
    each: true,
    off: ({ webhook }) => (webhook.url === "" ? "off; set notify.webhook.url and .secret" : undefined),
    async send(note, links, { webhook }, signal) {
      if (note.digest) {
        const { words, ...digest } = note.digest;
        const event = { event: "digest", digest: { ...digest, words, ...(note.page && { link: note.page }) } };
        await deliver(webhook, note.ask, event, signal);
        return { ref: {}, detail: `posted to ${new URL(webhook.url).host}` };
      }
      const event = note.kind === "test" ? "test" : note.mismatch ? "mismatched" : "asked";
      const { ask: id, kind, agent, project, session, title, questions, at, again } = note;
      const linked = questions.map((question) => ({
        ...question,
        options: question.options.map((option, i) => {
          const link = links.find((found) => found.option === i)?.url;
          return link === undefined ? option : { ...option, link };
        }),
      }));
      const words = note.mismatch ? { words: note.body } : {};
      const from = { agent, project, ...(session !== undefined && { session }) };
      const ask = { id, kind, ...from, title, askedAt: at, questions: linked, ...words };
      await deliver(webhook, [event, id, again].filter(Boolean).join("-"), { event, ask }, signal);
      return { ref: {}, detail: `posted to ${new URL(webhook.url).host}` };
    },
    async withdraw(_ref, { ask: id, type, words, at }, { webhook }, signal) {
      if (webhook.url === "") return;
      if (type === "snoozed") return deliver(webhook, `snoozed-${id}-${at}`, { event: "snoozed", ask: { id } }, signal);
      const outcome = { type, words, at };
      await deliver(webhook, `settled-${id}`, { event: "settled", ask: { id }, outcome }, signal);
    },
  };

  async function deliver(to: { url: string; secret: string }, id: string, event: object, signal: AbortSignal) {
    const body = JSON.stringify({ id, ...event });
    const timestamp = String(Math.floor(now() / 1000));
    const signature = createHmac("sha256", to.secret).update(`${timestamp}.${body}`).digest("hex");
    const headers = {
      "content-type": "application/json",
      "parley-delivery": id,
      "parley-timestamp": timestamp,
      "parley-signature": `v1=${signature}`,
    };
    await post({ method: "POST", url: to.url, headers, body }, signal);
  }
}
