import { inOrder } from "../../core/ask/session-state.ts";
import { createAwakeClock } from "../../dialog/awake-clock.ts";
import type { Context } from "../cli/context.ts";
import { createDrafts } from "./action/drafts.ts";
import { createDesk, SURFACE } from "./action/inbox-actions.ts";
import { createOwnKeys } from "./action/own-keys.ts";
import { inTaskOrder } from "./draw/draw-task.ts";
import type { FirstPage } from "./first-page.ts";
import { createLive } from "./live.ts";
import { createMismatchNews } from "./mismatch-news.ts";
import { createModel } from "./model.ts";
import { createInboxScreen } from "./screen.ts";
import { showInbox } from "./show-inbox.ts";

/** The inbox of this machine. */
export function openInbox(
  { terminal: { env }, terminal, client }: Context,
  first: Promise<FirstPage>,
): Promise<number> {
  return showInbox(terminal, ({ signal, quit, edit, jumped, ...room }) => {
    const { repaint } = room;
    const model = createModel({ now: () => Date.now(), awake: createAwakeClock() });
    const drafts = createDrafts(client, SURFACE);
    const desk = createDesk({ client, model, drafts, env, repaint });
    const own = { client, model, desk, edit, jumped, ...room };
    const view = createInboxScreen({
      model,
      desk,
      drafts,
      quit,
      ...room,
      beside: (stage) => createOwnKeys(own, stage),
    });
    const mismatched = createMismatchNews({ client, model, repaint });
    const live = createLive(
      client,
      {
        asks: (asks) => (asks.forEach(view.heard), mismatched(asks), repaint()),
        gone: (id) => (model.asks.remove(id), repaint()),
        sessions: (sessions) => ((model.sessions = inOrder(sessions)), repaint()),
        tasks: (tasks) => ((model.tasks = inTaskOrder(tasks)), repaint()),
        grants: (grants) => ((model.grants = grants), model.offers.clear(), repaint()),
        away: (why) => ((model.away = why), repaint()),
        complete: () => ((model.isComplete = true), repaint()),
        mistakes: (lines) => ((model.mistakes = lines), repaint()),
      },
      signal,
    );
    return { view, drafts, desk, start };

    async function start(): Promise<void> {
      live.start(await first);
      // Whom to listen to is offered as they are now; an older daemon does not look again.
      const looked = client.call("welcome", { body: { path: env["PATH"] ?? "", again: true } });
      void looked.catch(() => undefined);
    }
  });
}
