import { connectHub } from "../../../client/hub-client.ts";
import { createAwakeClock } from "../../../dialog/awake-clock.ts";
import { hubMismatchesOf } from "../../../core/receipt/hub-mismatch.ts";
import { adviceAfter } from "../../../core/receipt/mismatch.ts";
import type { HubAskView, HubNews } from "../../../protocol/hub/hub.ts";
import type { AskView } from "../../../protocol/view.ts";
import type { Settlement } from "../../cli/answering/settle-ask.ts";
import type { Context } from "../../cli/context.ts";
import { refuseAgents } from "../../cli/guard.ts";
import { createSettling } from "../action/settling.ts";
import type { Stage } from "../beside.ts";
import { nameOf } from "../draw/status-line.ts";
import { createModel } from "../model.ts";
import { createInboxScreen } from "../screen.ts";
import { showInbox } from "../show-inbox.ts";
import { asHub } from "./hub-ask.ts";
import { createHubDrafts } from "./hub-drafts.ts";
import { createHubKeys } from "./hub-keys.ts";
import { createHubLive, firstOfHub } from "./hub-live.ts";
import { createLooking } from "./looking.ts";

/** The inbox of all machines of a hub. What is answered there is an intent: the line above the keys says what became of it. */
export async function openHubInbox(context: Context): Promise<number> {
  await refuseAgents("hub-answer", context);
  const hub = await connectHub(context.terminal.env);
  const first = await firstOfHub(hub);
  return showInbox(context.terminal, ({ theme, size, repaint, quit, signal }) => {
    const model = createModel({ now: () => Date.now(), awake: createAwakeClock(), hub: first.me });
    const drafts = createHubDrafts();
    /** Heard of here before it was received otherwise. */
    const before = new Set<string>();
    const desk = createSettling({ model, drafts, repaint, send, late: (ask, { message }) => late(ask, message) });
    const beside = (stage: Stage) => ({
      ...createHubKeys({ hub, model, desk, theme }, stage),
      looking: createLooking(hub, signal),
    });
    const view = createInboxScreen({ model, desk, drafts, theme, size, repaint, quit, beside });
    const live = createHubLive(
      hub,
      {
        asks: (asks) => (asks.forEach(view.heard), mismatched(asks), repaint()),
        gone: (id) => (model.asks.remove(id), repaint()),
        machines: (machines) => (model.asks.each((ask) => onMachine(ask, machines)), repaint()),
        me: (me) => ((model.hub = me), repaint()),
        away: (why) => ((model.away = why), repaint()),
        complete: () => ((model.isComplete = true), repaint()),
      },
      signal,
    );
    return { view, drafts, desk, start: async () => live.start(first) };

    /** What was answered through the hub and the agent received otherwise, once. */
    function mismatched(asks: readonly HubAskView[]): void {
      for (const ask of asks) {
        if (ask.state !== "mismatched") before.add(ask.id);
        else if (before.delete(ask.id) && hubMismatchesOf(ask, model.hub?.id, model.now()).length > 0)
          model.say(`✗ ${nameOf(ask)}: ${ask.sentence.replace(/^✗ /, "")}. ${adviceAfter(ask.agentTitle)}`, "error");
      }
    }

    function send({ id, version }: AskView, { action, answers, message }: Settlement): Promise<AskView> {
      const said = { ...(answers && { answers }), ...(message !== undefined && { message }) };
      return hub.answer(id, { action, version, ...said });
    }

    async function late({ id }: AskView, message: string): Promise<void> {
      model.asks.put(await hub.ask(id));
      model.say(`✗ too late: ${message}`, "error");
    }
  });
}

/** Whether it is there now. A machine that left takes along what was asked there. */
function onMachine(ask: AskView, machines: NonNullable<HubNews["machines"]>): AskView | undefined {
  const hub = asHub(ask);
  const machine = machines.find(({ id }) => id === hub?.machine.id);
  if (!hub || !machine) return undefined;
  const { online, name } = hub.machine;
  return machine.online === online && machine.name === name ? ask : { ...hub, machine };
}
