import { isParleys } from "../../core/ask/ask-state.ts";
import { PARLEY_ASKS } from "../../core/words/ask-words.ts";
import { createKeyReader, type Press } from "../../dialog/keys.ts";
import type { Theme } from "../../dialog/theme.ts";
import { isForTerminal } from "../../core/ask/channel.ts";
import { needsPrompt } from "../../core/ask/session-state.ts";
import type { AskView, SessionView } from "../../protocol/view.ts";
import { createAnswering } from "./answering.ts";
import { type Box, createConfirmation, createHelp, over, type Size } from "./box.ts";
import type { Desk } from "./inbox-actions.ts";
import type { Drafts } from "./drafts.ts";
import { frame, hasRoomForBoth } from "./draw-frame.ts";
import { type KeyAction, actionOf } from "./keys.ts";
import type { Model } from "./model.ts";
import { createPrompt, type Prompt } from "./prompt.ts";
import { nameOf } from "./status-line.ts";
import { createTaskScreen } from "./task-screen.ts";
import { planRecommended } from "./settle-many.ts";

type Deps = {
  model: Model;
  desk: Desk;
  drafts: Drafts;
  theme: Theme;
  size: () => Size;
  repaint: () => void;
  quit: () => void;
  /** tmux shows another pane now. */
  jumped: () => void;
};
const MOVING = new Set<KeyAction["type"]>(["move", "page", "scroll"]);

/** The whole inbox: what it shows and what its keys do. A box or a prompt takes every key while it is there. */
export function createInboxScreen({ model, desk, drafts, theme, size, repaint, quit, jumped }: Deps) {
  let box: Box | undefined;
  let prompt: Prompt | undefined;
  /** Words to an Ask that were typed and not sent. */
  const unsent = new Map<string, string>();
  const read = createKeyReader();
  const onTasks = createTaskScreen({ model, desk, theme, show, close, answer: (ask) => void answering.open(ask) });
  const answering = createAnswering({ model, desk, drafts, theme, size, repaint, show, close });

  function show(next: Box): void {
    box = next;
    repaint();
  }
  function close(): void {
    box = undefined;
    repaint();
  }

  function act(wanted: KeyAction): void {
    const cursor = model.cursor();
    const selected = model.ask();
    const rows = Math.max(1, size().rows - 5);
    const isOpen = selected !== undefined && selected.state === "open";
    switch (wanted.type) {
      case "move":
        if (model.readsDetail && !hasRoomForBoth(size().columns)) return void (model.detailTop += wanted.by);
        return moved(() => cursor.move(wanted.by));
      case "page":
        return moved(() => cursor.move(wanted.by * Math.max(1, Math.floor(rows / 2))));
      case "end":
        return moved(() => cursor.to(wanted.of === "top" ? 0 : Number.MAX_SAFE_INTEGER));
      case "scroll":
        return void (model.detailTop = Math.max(0, model.detailTop + wanted.by * 3));
      case "tab":
        return toTab(wanted.to);
      case "open":
        return openSelected(selected);
      case "mark":
        if (isOpen && !model.marked.delete(selected.id)) model.marked.add(selected.id);
        return moved(() => cursor.move(1));
      case "markAll":
        return markAll();
      case "recommended":
        if (isOpen && !isFresh()) void desk.recommended(selected);
        return;
      case "accept":
        if (isOpen && !isFresh()) void desk.accept(selected);
        return;
      case "undo":
        if (isOpen) void desk.undo(selected);
        return;
      case "recommendedMarked":
        return confirmMarked();
      case "decline":
        if (isOpen && mayRefuse(selected)) decline(selected);
        else if (!isOpen) dismiss(model.session());
        return;
      case "chat":
        if (isOpen && mayRefuse(selected)) tell(selected, "chat", "Say first:", "Enter sends it, Esc does not");
        return;
      case "snooze":
        if (isOpen) snooze(selected);
        return;
      case "jump":
        return jump();
      case "web":
        if (selected) void desk.web(selected);
        return;
      case "filter":
        return filter();
      case "help":
        return show(createHelp(theme, close));
      case "escape":
        return back();
      case "quit":
        return quit();
    }
  }

  function moved(move: () => void): void {
    move();
    model.detailTop = 0;
  }

  function toTab(to: number | "next" | "back"): void {
    const tabs = model.tabs();
    const here = tabs.indexOf(model.tab);
    const next = typeof to === "number" ? Math.min(to, tabs.length - 1) : here + (to === "next" ? 1 : tabs.length - 1);
    model.tab = tabs[next % tabs.length] ?? "waiting";
    [model.detailTop, model.readsDetail] = [0, false];
  }

  function openSelected(selected: AskView | undefined): void {
    if (model.tab === "sessions") return jump();
    if (model.tab === "tasks" && (hasRoomForBoth(size().columns) || model.readsDetail)) return onTasks.open();
    if (model.tab === "tasks") return void ([model.readsDetail, model.detailTop] = [model.tasks.length > 0, 0]);
    if (!selected) return;
    const isRead = hasRoomForBoth(size().columns) || model.readsDetail;
    if (!isRead) return void ([model.readsDetail, model.detailTop] = [true, 0]);
    void answering.open(selected);
  }

  function markAll(): void {
    const shown = model.tab === "waiting" ? model.asks.waiting(model.filter) : [];
    const isAll = shown.every(({ id }) => model.marked.has(id));
    for (const { id } of shown)
      if (isAll) model.marked.delete(id);
      else model.marked.add(id);
  }

  function confirmMarked(): void {
    const marked = model.markedAsks();
    if (marked.length === 0) return model.say("Nothing is marked: Space marks, a marks all that are shown");
    const plan = planRecommended(marked, theme);
    const confirm = plan.answered.length === 0 ? {} : { confirm: () => void desk.settleAll(plan) };
    show(createConfirmation(theme, { ...plan, ...confirm, close, now: model.now }));
  }

  /** Of what only a terminal can answer nobody is told. */
  function decline(selected: AskView): void {
    if (isForTerminal(selected)) return void desk.settle(selected, { action: "decline" });
    tell(selected, "decline", "Decline, because:", "Enter declines, Esc does not");
  }

  function dismiss(session: SessionView | undefined): void {
    if (session && needsPrompt(session)) void desk.dismiss(session);
  }

  /** Words instead of an answer. What was not sent stands there again the next time. */
  function tell(selected: AskView, action: "decline" | "chat", label: string, hint: string): void {
    const { id } = selected;
    const changed = (text: string) => void unsent.set(id, text);
    prompt = createPrompt(theme, {
      label,
      hint,
      value: unsent.get(id) ?? "",
      changed,
      done: (text) => void send(text.trim()),
      cancel: () => (prompt = undefined),
    });

    async function send(message: string): Promise<void> {
      prompt = undefined;
      const settled = await desk.settle(selected, { action, ...(message !== "" && { message }) });
      if (settled) unsent.delete(id);
    }
  }

  function mayRefuse(selected: AskView): boolean {
    if (isParleys(selected)) model.say(PARLEY_ASKS);
    return !isParleys(selected);
  }

  function snooze(selected: AskView): void {
    const done = (time: string) => {
      prompt = undefined;
      void desk.snooze(selected, time);
    };
    const cancel = () => (prompt = undefined);
    prompt = createPrompt(theme, { label: "Snooze for:", value: "30m", hint: "30m, 2h, 1d, off", done, cancel });
  }

  function jump(): void {
    if (desk.jump((model.session() ?? model.ask()?.origin)?.pane)) jumped();
  }

  function filter(): void {
    const before = model.filter;
    const changed = (text: string) => (model.filter = text);
    const finish = (text: string) => {
      model.filter = text;
      prompt = undefined;
    };
    prompt = createPrompt(theme, {
      label: "/",
      value: before,
      hint: "Enter keeps it, Esc shows all",
      changed,
      done: finish,
      cancel: () => finish(""),
    });
  }

  function back(): void {
    if (model.readsDetail) model.readsDetail = false;
    else if (model.filter !== "") model.filter = "";
    else if (model.marked.size > 0) model.marked.clear();
    else model.said = undefined;
  }

  /** It came under the cursor a moment ago, so the key was meant for the one before. */
  function isFresh(): boolean {
    if (!model.cursor().isFresh()) return false;
    const selected = model.ask();
    if (selected) model.say(`Now it is ${nameOf(selected)}: press again`);
    return true;
  }

  function pressed(press: Press): void {
    if (press.type === "key" && !press.repeat && model.tab === "tasks" && onTasks.pressed(press.name)) return;
    const wanted = press.type === "key" ? actionOf(press.name) : undefined;
    // A key that is held down moves, and does nothing else.
    if (press.type === "key" && press.repeat && wanted && !MOVING.has(wanted.type)) return;
    if (wanted && (wanted.type === "quit" || !answering.isOpening())) act(wanted);
  }

  return {
    render(): string[] {
      const { columns, rows } = size();
      const lines = frame(model, theme, { columns, rows }, prompt?.render(columns));
      return box ? over(lines, box.render({ columns, rows }), { columns, rows }) : lines;
    },
    handleInput(data: string): void {
      if (box) box.handleInput(data);
      else if (prompt) prompt.handleInput(data);
      else for (const press of read(data)) pressed(press);
      repaint();
    },
    /** News of an Ask whose dialog may be open, or on which the cursor may stand. */
    heard(news: AskView): void {
      const known = model.asks.get(news.id);
      const isSelected = model.tab === "waiting" && model.lastSelected() === news.id;
      model.asks.put(news);
      if (known?.outcome || !news.outcome) return;
      model.marked.delete(news.id);
      if (answering.concludeIfSettled(news)) return;
      if (isSelected && !desk.isMine(news.id)) model.said = { type: "late", id: news.id };
    },
  };
}
