import { createWaits } from "../../machine/time/waits.ts";
import { createHash, randomBytes } from "node:crypto";
import type { Ask } from "../../core/ask/ask.ts";
import type { Notify } from "../../core/config/config.ts";
import { ParleyError } from "../../core/error.ts";
import { describeOutcome } from "../../core/words/outcome/sentence.ts";
import { denialWords } from "../../core/words/outcome/denial.ts";
import { capitalised, safeLine } from "../../core/text/text.ts";
import type { Clock, Inbox } from "../../inbox/inbox.ts";
import type { Link } from "../messenger.ts";
import type { Ledger } from "../../store/ledger.ts";
import { mayPress, type Note } from "../note.ts";
import { isPressable } from "../chat/pressable.ts";

/** What became of a link, or what it would do. `words` are for the person. */
export type Seen =
  | { state: "ready"; ask: Ask; label: string }
  | { state: "done" | "unknown" | "used" | "expired" | "settled" | "refused"; words: string };
type Deps = { ledger: Ledger; inbox: Inbox; config: () => Promise<Notify>; now: Clock };
export type Links = ReturnType<typeof createLinks>;

/** Links that answer with one option, once, for a while. Only a digest of the code is kept: who reads it cannot answer. */
export function createLinks({ ledger, inbox, config, now }: Deps) {
  // A link that is out must not live longer because the clock is set back.
  const waits = createWaits(now);

  async function look(code: string): Promise<Seen> {
    const link = ledger.link(digest(code));
    if (!link) return { state: "unknown", words: "This link is not known. It may be very old; see your inbox." };
    if (link.usedAt !== null) return { state: "used", words: "This link was already used. Each one works once." };
    if (waits.left(digest(code), link.expiresAt) <= 0)
      return { state: "expired", words: "This link has expired. The question may still wait in your inbox." };
    const ask = await inbox.get(link.ask).catch(() => undefined);
    if (!ask) return { state: "unknown", words: "The question of this link is gone." };
    if (ask.outcome) return { state: "settled", words: `Already settled: ${describeOutcome(ask, now())}` };
    // What was allowed when the link was made may have been switched off since.
    const option = ask.questions[0]?.options[link.option];
    if (!mayPress(ask, (await config()).buttons_for_approvals) || !isPressable(option))
      return { state: "refused", words: "This question is not answered with a link. See your inbox." };
    return { state: "ready", ask, label: safeLine(option?.label ?? "", { max: 120 }) };
  }

  return {
    /** `base`: the address under which the person reaches them. */
    make(note: Note, base: string, { link_minutes }: Notify): Link[] {
      return note.buttons.map(({ option, label }) => {
        const code = randomBytes(32).toString("base64url");
        const expiresAt = now() + link_minutes * 60_000;
        ledger.addLink(digest(code), note.ask, option, expiresAt);
        waits.left(digest(code), expiresAt);
        return { option, label, url: `${base.replace(/\/+$/, "")}/act/${code}` };
      });
    },
    look,
    async act(code: string): Promise<Seen> {
      const seen = await look(code);
      if (seen.state !== "ready") return seen;
      const hash = digest(code);
      const option = ledger.link(hash)?.option;
      if (option === undefined || !ledger.useLink(hash, now())) return look(code);
      try {
        const settlement = { action: "answer" as const, answers: [{ picks: [option] }] };
        const { outcome, questions } = await inbox.settle(seen.ask.id, settlement, { type: "person", surface: "link" });
        const denied = outcome && denialWords({ questions }, outcome);
        return { state: "done", words: denied ? capitalised(denied) : `Answered: ${seen.label}` };
      } catch (error) {
        if (error instanceof ParleyError && error.code === "already_settled")
          return { state: "settled", words: error.message };
        ledger.unuseLink(hash);
        throw error;
      }
    },
  };
}

/** Where links lead: to their own port, or without one to the page's. Empty: nowhere, so there are none. */
export function linkBase({ link_base }: Notify, port: number | undefined, pageAddress: string): string {
  if (link_base === "") return pageAddress;
  return port === undefined ? "" : link_base;
}

const digest = (code: string) => createHash("sha256").update(code).digest("hex");
