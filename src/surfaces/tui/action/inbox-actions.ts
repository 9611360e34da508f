import type { Client } from "../../../client/client.ts";
import type { Pane } from "../../../core/ask/ask.ts";
import { proposalFor } from "../../../core/words/pilot-line.ts";
import { inOrder } from "../../../core/ask/session-state.ts";
import { sessionName } from "../../../core/words/session-words.ts";
import type { TaskView } from "../../../protocol/task.ts";
import type { AskView, SessionView } from "../../../protocol/view.ts";
import { browse } from "../../terminal/browse.ts";
import { jumpTo } from "../../cli/commands/question/jump.ts";
import type { Settlement } from "../../cli/answering/settle-ask.ts";
import { snoozeMinutes } from "../../cli/commands/every-day/snooze.ts";
import { snoozedWords } from "../../../core/words/time.ts";
import { counted } from "../../../core/words/number.ts";
import type { GrantWish } from "./grant-box.ts";
import type { Drafts } from "./drafts.ts";
import type { Model } from "../model.ts";
import { nameOf } from "../draw/status-line.ts";
import { createSettling } from "./settling.ts";

type Deps = {
  client: Client;
  model: Model;
  drafts: Drafts;
  env: Record<string, string | undefined>;
  repaint: () => void;
};
export type Desk = ReturnType<typeof createDesk>;
export const SURFACE = "inbox";

/** What a person can do from the inbox of their machine. Contract: nothing here throws; what went wrong is said on the screen. */
export function createDesk({ client, model, drafts, env, repaint }: Deps) {
  const settling = createSettling({ model, drafts, repaint, send, late });
  const { act, fail, sent } = settling;

  async function send(ask: AskView, settlement: Settlement): Promise<AskView> {
    // It knows every agent, which the first frame need not wait for.
    const { settling: body } = await import("../../cli/answering/settle-ask.ts");
    return client.call("settleAsk", { id: ask.id, body: body(ask, settlement, SURFACE, env) });
  }

  async function late({ id }: AskView): Promise<void> {
    model.asks.put(await client.call("getAsk", { id }));
    model.said = { type: "late", id };
  }

  async function whoIs(): Promise<{ surface: string; session?: string }> {
    const { sessionAround } = await import("../../../agents/agents.ts");
    const session = sessionAround(env);
    return { surface: SURFACE, ...(session !== undefined && { session }) };
  }

  return {
    ...settling,
    accept: (ask: AskView) =>
      act(async () => {
        if (!proposalFor(ask)) return model.say(`${nameOf(ask)}: nothing is proposed; Enter answers it`, "error");
        const body = await whoIs();
        const settled = await sent(ask, () => client.call("acceptProposal", { id: ask.id, body }));
        if (settled) model.said = { type: "follow", ids: [ask.id] };
      }),
    undo: (ask: AskView) =>
      act(async () => {
        model.asks.put(await client.call("undoAutopilot", { id: ask.id, body: await whoIs() }));
        model.say(`${nameOf(ask)}: taken back; Enter answers it`);
      }),
    /** Approves it and what is like it, where it waits. */
    give: (ask: AskView, wish: GrantWish) =>
      act(async () => {
        let count = 0;
        const settled = await sent(ask, async () => {
          const given = await client.call("giveGrant", { id: ask.id, body: { ...wish, surface: SURFACE } });
          count = given.grants.length;
          return given.ask;
        });
        if (settled) model.said = { type: "follow", ids: [ask.id], also: `${counted(count, "grant")} given` };
      }),
    snooze: (ask: AskView, time: string) =>
      act(async () => {
        const minutes = snoozeMinutes(time);
        const after = await client.call("snoozeAsk", { id: ask.id, body: { minutes, surface: SURFACE } });
        const cursor = model.cursor();
        const [wasSelected, place] = [cursor.id === ask.id, cursor.index];
        model.asks.put(after);
        // It goes to the end of the list; the person goes on with the next one.
        if (wasSelected && minutes > 0) model.cursor().to(place);
        const until = after.snoozedUntil ?? 0;
        model.say(`${nameOf(ask)}: ${minutes === 0 ? "back in the list" : snoozedWords(until, model.now())}`);
      }),
    dismiss: (session: SessionView) =>
      act(async () => {
        const after = await client.call("dismissSession", { id: session.id, body: { surface: SURFACE } });
        model.sessions = inOrder(model.sessions.map((each) => (each.id === after.id ? after : each)));
        model.say(`${sessionName(after)}: dismissed`);
      }),
    /** True: this terminal's tmux client is somewhere else now. */
    jump(pane: Pane | undefined): boolean {
      try {
        const { switched, attach } = jumpTo(pane, env);
        model.say(switched ? `tmux went to ${pane?.id ?? ""}` : attach);
        return switched;
      } catch (error) {
        fail(error);
        return false;
      }
    },
    /** What a person does to a task; `words` says what came of it. */
    onTask: (
      call: "taskApply" | "taskDiscard" | "taskDone" | "taskCancel" | "taskRetry",
      { id }: TaskView,
      words: (after: TaskView) => string,
    ) =>
      act(async () => {
        const after = await client.call(call, { id, body: { surface: SURFACE } });
        model.tasks = model.tasks.map((task) => (task.id === id ? after : task));
        model.say(words(after), "ok");
      }),
    diff: ({ id }: TaskView) => act(() => client.call("taskDiff", { id })),
    askOf: ({ asks: [id] }: TaskView) =>
      act(async () => (id === undefined ? undefined : (model.asks.get(id) ?? client.call("getAsk", { id })))),
    /** Opens the page at this Ask. */
    web: (ask: AskView) => act(async () => model.say(`Opened ${await browse(client, env, ask.id)} in your browser`)),
  };
}
