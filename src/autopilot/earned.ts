import type { Ask } from "../core/ask/ask.ts";
import type { AskEvent } from "../core/ask/event.ts";
import type { Actor } from "../core/ask/outcome.ts";
import type { Review } from "../core/ask/proposal.ts";
import { digest } from "../core/autopilot/digest.ts";
import type { TrustKey, TrustMark } from "../core/autopilot/trust/marks.ts";
import { ANY_QUESTION, deciderTitle, PRECEDENT, STAGES } from "../core/autopilot/trust/stage.ts";
import { lostWords, standingWords } from "../core/words/trust-words.ts";
import { ParleyError } from "../core/error.ts";
import type { Inbox } from "../inbox/inbox.ts";
import type { ConfigFiles } from "../machine/settings/config-file.ts";
import type { Store } from "../store/store.ts";
import { type createTrust, MOST_MARKS, termsOf } from "./trust.ts";

type Deps = { store: Store; inbox: Pick<Inbox, "change">; config: ConfigFiles; trust: ReturnType<typeof createTrust> };

const MOST_ROWS = 500;
const MOST_SHOWN = 20;

/** Whom the person trusts how far, as the ledger says, and what they no longer want to trust. */
export function createEarned({ store, inbox, config, trust }: Deps) {
  async function view(mark: TrustMark) {
    const { project, decider, question } = mark;
    const values = (await config.current()).values.autopilot.trust;
    const needed = question === ANY_QUESTION ? values.per_rule : values.per_question;
    const terms = termsOf(values, needed, decider === PRECEDENT ? "watching" : "suggesting");
    const standing = await trust.standing(mark, terms);
    const marks = await store.marks(mark, MOST_MARKS);
    const isCapped = question.startsWith("held ") && STAGES.indexOf(standing.stage) > 1;
    return {
      id: idOf(mark),
      project,
      decider: deciderTitle(decider),
      question: mark.title,
      ...standing,
      ...(isCapped && { stage: "suggesting" as const }),
      why: `${standingWords(standing)}${question.startsWith("held ") ? "; only ever suggested: not plainly harmless" : ""}`,
      lost: lostWords(standing),
      marks: marks
        .slice(0, MOST_SHOWN)
        .map(({ at, ask, result, shown }) => ({ at, ask, result, ...(shown && { shown }) })),
    };
  }

  return {
    async list(project?: string) {
      const rows = (await store.trusted(MOST_ROWS)).filter((row) => project === undefined || row.project === project);
      const views = await Promise.all(rows.map(view));
      return views.toSorted((a, b) => STAGES.indexOf(b.stage) - STAGES.indexOf(a.stage) || b.score - a.score);
    },
    /** An event of the newest Ask it rests on: as long as anything of it is known, so is this. */
    async withdraw(id: string, actor: Actor) {
      const found = (await store.trusted(MOST_ROWS)).filter((row) => idOf(row).startsWith(id));
      const [row] = found;
      if (!row || id === "") throw new ParleyError("not_found", `No trust "${id}". See: parley autopilot trust`);
      if (found.length > 1) throw new ParleyError("ambiguous", `"${id}" fits several; type more of it`);
      const { decider, question } = row;
      await inbox.change(row.ask, (): AskEvent[] => [
        { type: "ask.reviewed", verdict: "withdrawn", actor, decider, question },
      ]);
      return view(row);
    },
    /** What a person says about an answer in their place. */
    reviewed(
      ask: Ask,
      { verdict, actor, answers, message }: Pick<Review, "verdict" | "actor" | "answers" | "message">,
    ): AskEvent[] {
      if (ask.outcome?.actor.surface !== "autopilot")
        throw new ParleyError("not_answerable", "The autopilot did not answer this question");
      const said = { ...(answers && { answers }), ...(message !== undefined && { message }) };
      return [{ type: "ask.reviewed", verdict, actor, ...said }];
    },
  };
}

/** Short enough to be typed. */
const idOf = ({ project, decider, question }: TrustKey) =>
  digest(JSON.stringify([project, decider, question])).slice(0, 6);
