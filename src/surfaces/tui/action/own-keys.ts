import type { Client } from "../../../client/client.ts";
import { needsPrompt } from "../../../core/ask/session-state.ts";
import type { Theme } from "../../../dialog/theme.ts";
import type { AskView } from "../../../protocol/view.ts";
import { hasRoomForBoth } from "../draw/draw-frame.ts";
import type { Size } from "../draw/box.ts";
import type { KeyAction } from "../keys.ts";
import type { Model } from "../model.ts";
import { createPrompt } from "../prompt.ts";
import type { Beside, Stage } from "../beside.ts";
import { createTaskScreen } from "../task-screen.ts";
import { createChanging, type Edit } from "./changing.ts";
import { createGranting } from "./granting.ts";
import type { Desk } from "./inbox-actions.ts";

type Deps = {
  client: Client;
  model: Model;
  desk: Desk;
  theme: Theme;
  size: () => Size;
  repaint: () => void;
  edit: Edit;
  /** tmux shows another pane now. */
  jumped: () => void;
};

/** What keys do beside answering on one's own machine: the autopilot, grants, changed calls, sessions, tasks, panes. */
export function createOwnKeys({ client, model, desk, theme, size, repaint, edit, jumped }: Deps, stage: Stage): Beside {
  const { show, close, type, answer } = stage;
  const onTasks = createTaskScreen({ model, desk, theme, show, close, answer });
  const granting = createGranting({ client, model, desk, theme, show, close, repaint });
  const change = createChanging({ model, desk, theme, type, edit });

  /** False: not for what is selected. */
  const DO: Partial<Record<KeyAction["type"], (selected: AskView | undefined, open: AskView | undefined) => unknown>> =
    {
      open: openRow,
      accept: (_, open) => open && !stage.isFresh() && desk.accept(open),
      undo: (_, open) => open && desk.undo(open),
      grant: (_, open) => open && granting.open(open),
      declineGrant: (selected) => selected && granting.decline(selected),
      bulk: granting.bulk,
      edit: (_, open) => open && change(open),
      snooze: (_, open) => open && snooze(open),
      jump,
      web: (selected) => selected && desk.web(selected),
      decline: dismiss,
      stop: revoke,
    };

  /** Enter on what is no Ask. */
  function openRow(): unknown {
    const grant = model.grant();
    if (model.tab === "sessions") return jump();
    if (grant) return granting.edit(grant);
    if (model.tab !== "tasks") return false;
    if (hasRoomForBoth(size().columns) || model.readsDetail) onTasks.open();
    else [model.readsDetail, model.detailTop] = [model.tasks.length > 0, 0];
    return undefined;
  }

  function dismiss(): unknown {
    const session = model.session();
    return session !== undefined && void (needsPrompt(session) && desk.dismiss(session));
  }

  function revoke(): unknown {
    const grant = model.grant();
    return grant !== undefined && granting.revoke(grant);
  }

  function jump(): void {
    if (desk.jump((model.session() ?? model.ask()?.origin)?.pane)) jumped();
  }

  function snooze(selected: AskView): void {
    const done = (time: string) => {
      type(undefined);
      void desk.snooze(selected, time);
    };
    const cancel = () => type(undefined);
    type(createPrompt(theme, { label: "Snooze for:", value: "30m", hint: "30m, 2h, 1d, off", done, cancel }));
  }

  return {
    act({ type: wanted }, selected) {
      const does = DO[wanted];
      return does !== undefined && does(selected, selected?.state === "open" ? selected : undefined) !== false;
    },
    pressed: (key) => model.tab === "tasks" && onTasks.pressed(key),
    leaveFor: { grant: granting.open, change },
    drawn: granting.lookAt,
  };
}
