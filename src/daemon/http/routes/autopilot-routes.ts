import type { Autopilot } from "../../../autopilot/autopilot.ts";
import { accepted } from "../../../autopilot/proposal.ts";
import { isQuiet } from "../../../autopilot/setting.ts";
import { tryAsk } from "../../../autopilot/try-ask.ts";
import type { Ask } from "../../../core/ask/ask.ts";
import { ParleyError } from "../../../core/error.ts";
import type { AskView } from "../../../protocol/view.ts";
import { eachAsk } from "../../../store/each-ask.ts";
import type { Store } from "../../../store/store.ts";
import { actorOf } from "../../../inbox/callers.ts";
import type { Clock, Inbox } from "../../../inbox/inbox.ts";
import type { Routes } from "./route.ts";
import { noticeOf } from "./trust-routes.ts";

type Deps = { store: Store; inbox: Inbox; autopilot: Autopilot; now: Clock; view: (ask: Ask) => AskView };
type AutopilotRoutes = Pick<
  Routes,
  "acceptProposal" | "undoAutopilot" | "autopilot" | "autopilotPause" | "autopilotStats" | "autopilotTest"
>;
const KINDS = new Set(["question", "approval", "plan"]);
const PAGE = 100;

export function createAutopilotRoutes({ store, inbox, autopilot, now, view }: Deps): AutopilotRoutes {
  const { look, pauses } = autopilot;

  async function counts(): Promise<{ asking: number; held: number; suggested: number }> {
    const found = { asking: 0, held: 0, suggested: 0 };
    for await (const { autopilot: pilot } of eachAsk(store, ["open"]))
      if (pilot && Object.hasOwn(found, pilot.state)) found[pilot.state as keyof typeof found]++;
    return found;
  }

  /** The newest that somebody could have answered, also what is open. */
  async function newest(limit: number, project: string | undefined): Promise<Ask[]> {
    const found: Ask[] = [];
    for (let after: string | undefined; found.length < limit;) {
      const page = await store.list({
        order: "newest",
        limit: PAGE,
        ...(after !== undefined && { after }),
        ...(project !== undefined && { project }),
      });
      found.push(...page.filter((ask) => KINDS.has(ask.kind) && ask.origin.agent !== "parley"));
      after = page.at(-1)?.id;
      if (page.length < PAGE) break;
    }
    return found.slice(0, limit);
  }

  return {
    async acceptProposal({ id, body, once, caller }) {
      const actor = actorOf(caller, body.surface, body.session);
      const { id: whole } = await inbox.get(id);
      const ask = await inbox.once(once && `accept ${once}`, { id, ...body }, (key) =>
        inbox.change(whole, (current) => [accepted(current, actor, now())], key),
      );
      return view(ask);
    },
    async undoAutopilot({ id, body, once, caller }) {
      if (body.session !== undefined) throw new ParleyError("forbidden", "Only a person may take an answer back");
      const { id: whole } = await inbox.get(id);
      const undo = (key?: { key: string; digest: string }) => autopilot.undo(whole, actorOf(caller, body.surface), key);
      return view(await inbox.once(once && `undo ${once}`, { id, ...body }, undo));
    },
    async autopilot({ query: { cwd } }) {
      // Who asks has perhaps just changed the settings.
      await autopilot.tick();
      const { mode, values, rules, trustsProject, project } = await look.setting({
        agent: "",
        ...(cwd !== undefined && { cwd }),
      });
      const theirs = project?.rules ?? 0;
      const mine = rules.filter(({ from }) => from === "user").length;
      const notice = noticeOf(project, theirs);
      const all = pauses.all();
      return {
        mode: values.mode,
        projects: values.projects,
        here: {
          mode,
          rules: mine,
          projectRules: theirs,
          trusted: trustsProject,
          ...(notice !== undefined && { notice }),
        },
        brains: Object.keys(values.brains),
        brain: values.brain,
        undoSeconds: values.undo_seconds,
        trust: {
          perQuestion: values.trust.per_question,
          perRule: values.trust.per_rule,
          askEvery: values.trust.ask_every,
          days: values.trust.days,
        },
        quiet: { hours: values.quiet, now: isQuiet(values, now()) },
        budget: {
          perSession: values.budget_per_session,
          perHour: values.budget_per_hour,
          lastHour: await autopilot.budget.lastHour(),
        },
        escalation: { afterSeconds: values.escalate_after_seconds, policy: values.after_escalation },
        paused: { ...(all !== undefined && { all }), sessions: { ...pauses.sessions() } },
        asks: await counts(),
      };
    },
    async autopilotPause({ body: { paused, session, inside }, caller }) {
      if (!paused && actorOf(caller, "", inside).type === "agent")
        throw new ParleyError("forbidden", "Only a person may resume the autopilot");
      const whole = session === undefined ? undefined : await sessionLike(session);
      await autopilot.pause(whole, paused);
      const all = pauses.all();
      return {
        ...(all !== undefined && { all }),
        sessions: { ...pauses.sessions() },
        ...(whole !== undefined && { session: whole }),
      };
    },
    autopilotStats: async () => ({ stats: await store.agreements() }),
    async autopilotTest({ body: { ask, limit, project } }) {
      const asks = ask === undefined ? await newest(limit, project) : [await inbox.get(ask)];
      const tried = [];
      for (const each of asks) tried.push(await tryAsk(each, look));
      return { asks: tried };
    },
  };

  /** A session by its id or a beginning of it. */
  async function sessionLike(typed: string): Promise<string> {
    if ((await store.session(typed)) || (await store.list({ session: typed, limit: 1 })).length > 0) return typed;
    const known = (await store.sessions({ limit: 500 })).filter(({ id }) => id.startsWith(typed));
    const [found, ...others] = known;
    if (!found) throw new ParleyError("not_found", `No session "${typed}". See: parley status`);
    if (others.length > 0) throw new ParleyError("ambiguous", `"${typed}" matches several sessions`);
    return found.id;
  }
}
