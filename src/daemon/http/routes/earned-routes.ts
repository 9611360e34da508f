import type { Autopilot } from "../../../autopilot/autopilot.ts";
import { digestSince } from "../../../autopilot/digest.ts";
import { createEarned } from "../../../autopilot/earned.ts";
import { replay } from "../../../autopilot/replay.ts";
import type { Ask } from "../../../core/ask/ask.ts";
import { correctedWords } from "../../../core/ask/answer/correction.ts";
import { checkAnswers } from "../../../core/ask/answer/check-answer.ts";
import type { Actor } from "../../../core/ask/outcome.ts";
import { ParleyError } from "../../../core/error.ts";
import { correctionWords } from "../../../core/words/trust-words.ts";
import { actorOf } from "../../../inbox/callers.ts";
import type { Corrections } from "../../../inbox/corrections.ts";
import type { Clock, Inbox } from "../../../inbox/inbox.ts";
import type { ConfigFiles } from "../../../machine/settings/config-file.ts";
import type { AskView } from "../../../protocol/view.ts";
import type { Runner } from "../../../runner/runner.ts";
import { newestAsks } from "../../../store/newest-asks.ts";
import type { Store } from "../../../store/store.ts";
import type { Routes } from "./route.ts";
import { inOwnWords } from "./task-routes.ts";

type Deps = {
  store: Store;
  inbox: Inbox;
  runner: Runner;
  autopilot: Autopilot;
  corrections: Corrections;
  config: ConfigFiles;
  now: Clock;
  view: (ask: Ask) => AskView;
};
type EarnedRoutes = Pick<Routes, "earnedTrust" | "withdrawTrust" | "reviewAsk" | "digest" | "autopilotReplay">;

/** Whom the person trusts how far, what was done with it, and what would be. */
export function createEarnedRoutes(deps: Deps): EarnedRoutes {
  const { store, inbox, runner, autopilot, corrections, config, now, view } = deps;
  const earned = createEarned({ store, inbox, config, trust: autopilot.trust });

  async function* inTimeOrder(limit: number, project: string | undefined): AsyncGenerator<Ask> {
    const ids: string[] = [];
    for await (const ask of newestAsks(store, () => ids.length >= limit, project))
      if (isReplayable(ask)) ids.push(ask.id);
    for (const id of ids.toReversed()) {
      const ask = await store.ask(id);
      if (ask) yield ask;
      // Whoever asks something meanwhile must not wait for all of it.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Only an agent that waits with nothing but Parley's own question takes words now. */
  async function tellAgent({ origin: { task: id } }: Ask, message: string, actor: Actor): Promise<boolean> {
    const task = id === undefined ? undefined : await store.task(id);
    if (!task) return false;
    const open = await store.list({ session: task.session ?? "", states: ["open"] });
    const own = open.find(({ deliveries }) => deliveries.every(({ channel }) => channel === "self"));
    if (!own) return runner.tell(task.id, message);
    await inbox.settle(own.id, inOwnWords(own, message), actor);
    return true;
  }

  return {
    earnedTrust: async ({ query: { project } }) => ({ trust: await earned.list(project) }),
    withdrawTrust: ({ body: { id, surface }, caller }) => earned.withdraw(id, actorOf(caller, surface)),
    async reviewAsk({ id, body: { verdict, answers, message, surface }, caller }) {
      const actor = actorOf(caller, surface);
      const { id: whole, questions } = await inbox.get(id);
      const checked = answers && checkAnswers(questions, answers);
      if (checked && !checked.ok)
        throw new ParleyError("invalid", checked.problems.map((problem) => problem.message).join("; "), {
          problems: checked.problems,
        });
      const words = correctedWords(questions, {
        ...(checked && { answers: checked.answers }),
        ...(message && { message }),
      });
      if (verdict === "corrected" && words === "")
        throw new ParleyError("invalid", "A correction needs an answer or words");
      const review = { verdict, actor, ...(checked && { answers: checked.answers }), ...(message && { message }) };
      const ask = await inbox.change(whole, (current) => earned.reviewed(current, review));
      if (verdict !== "corrected") return { ask: view(ask), told: false, tells: "never" };
      if (await tellAgent(ask, correctionWords(ask, words), actor)) {
        const after = await inbox.change(whole, () => [{ type: "ask.corrected", to: "its task" }]);
        return { ask: view(after), told: true, tells: "never" };
      }
      const isTask = ask.origin.task !== undefined;
      return { ask: view(ask), told: false, tells: isTask ? "never" : await corrections.note(ask) };
    },
    async digest({ query: { since } }) {
      const projects = await digestSince(store, since, now());
      const shown = projects.map(({ answered, suggested, left, mismatched, undone, ...more }) => ({
        ...more,
        answered: answered.map(view),
        suggested: suggested.map(view),
        left: left.map(view),
        mismatched: mismatched.map(view),
        undone: undone.map(view),
      }));
      return { since, now: now(), savedMs: projects.reduce((sum, { savedMs }) => sum + savedMs, 0), projects: shown };
    },
    autopilotReplay: ({ body: { limit, project } }) =>
      replay(inTimeOrder(limit, project), { climb: (ask) => autopilot.look.runLadder(ask) }),
  };
}

const isReplayable = ({ outcome, origin }: Ask) => outcome?.actor.type === "person" && origin.agent !== "parley";
