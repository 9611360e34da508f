import { createKeyReader, type Press } from "../../dialog/keys.ts";
import type { Mouse } from "../../dialog/mouse.ts";
import type { Theme } from "../../dialog/theme.ts";
import { rowOrder } from "../../core/form/rows.ts";
import type { AskView } from "../../protocol/view.ts";
import type { Beside, Stage } from "./beside.ts";
import { createAnswering } from "./action/answering.ts";
import { type Box, createConfirmation, createHelp, over, type Size } from "./draw/box.ts";
import type { Settling } from "./action/settling.ts";
import type { Drafts } from "./action/drafts.ts";
import { frame, hasRoomForBoth } from "./draw/draw-frame.ts";
import { isOver, isWaiting } from "./hub/hub-ask.ts";
import { type KeyAction, actionOf } from "./keys.ts";
import type { Model, Tab } from "./model.ts";
import { createPointing, pointInBox } from "./pointing.ts";
import { createPrompt, type Prompt } from "./prompt.ts";
import { createRefusing } from "./action/refusing.ts";
import { nameOf } from "./draw/status-line.ts";
import { planRecommended } from "./action/settle-many.ts";

type Deps = {
  model: Model;
  desk: Settling;
  drafts: Drafts;
  theme: Theme;
  size: () => Size;
  repaint: () => void;
  quit: () => void;
  beside: (stage: Stage) => Beside;
};
export type InboxScreen = ReturnType<typeof createInboxScreen>;
const MOVING = new Set<KeyAction["type"]>(["move", "page", "scroll"]);

/** The whole inbox: what it shows and what its keys do. A box or a prompt takes every key while it is there. */
export function createInboxScreen({ model, desk, drafts, theme, size, repaint, quit, ...given }: Deps) {
  let box: Box | undefined;
  let prompt: Prompt | undefined;
  const read = createKeyReader();
  const type = (next: Prompt | undefined) => void (prompt = next);
  const beside = given.beside({ show, close, type, isFresh, answer: (ask) => void answering.open(ask) });
  const isBusy = () => box !== undefined || prompt !== undefined;
  const answering = createAnswering({ model, desk, drafts, theme, size, repaint, show, close, isBusy, beside });
  const refusing = createRefusing({ model, desk, theme, show, close, type });
  const pointInFrame = createPointing({ model, size, act, moved, openTab, pressed });

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
    if (beside.act(wanted, selected)) return;
    const rows = Math.max(1, size().rows - 5);
    const isOpen = selected !== undefined && isWaiting(selected);
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
      case "recommendedMarked":
        return confirmMarked();
      case "choose":
        if (isOpen) chooseNumber(selected, wanted.number);
        return;
      case "decline":
        if (isOpen) refusing.decline(selected);
        return;
      case "stop":
        if (isOpen) refusing.stop(selected);
        return;
      case "chat":
        if (isOpen) refusing.chat(selected);
        return;
      case "filter":
        return filter();
      case "help":
        return show(createHelp(theme, model.hub !== undefined, close));
      case "escape":
        return back();
      case "quit":
        return quit();
      // Where there is such a thing, `beside` has done it.
      case "accept":
      case "undo":
      case "claim":
      case "handOver":
      case "grant":
      case "declineGrant":
      case "bulk":
      case "edit":
      case "snooze":
      case "jump":
      case "web":
    }
  }

  function moved(move: () => void): void {
    move();
    model.detailTop = 0;
  }

  function toTab(to: "next" | "back"): void {
    const tabs = model.tabs();
    const next = tabs.indexOf(model.tab) + (to === "next" ? 1 : tabs.length - 1);
    openTab(tabs[next % tabs.length] ?? "waiting");
  }

  function openTab(tab: Tab): void {
    model.tab = tab;
    [model.detailTop, model.readsDetail] = [0, false];
  }

  function openSelected(selected: AskView | undefined): void {
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
    show(createConfirmation(theme, { ...plan, ...confirm, close, now: model.awake }));
  }

  /** Opens the dialog with this row chosen: Enter sends it. */
  function chooseNumber(selected: AskView, number: number): void {
    const [question = { options: [] }] = selected.questions;
    const row = question.options.length === 0 ? undefined : rowOrder(question)[number - 1];
    if (row === undefined) return model.say(`${nameOf(selected)}: there is no option ${number}`, "error");
    void answering.open(selected, { choose: row });
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

  function isFresh(): boolean {
    if (!model.cursor().isFresh()) return false;
    const selected = model.ask();
    if (selected) model.say(`Now it is ${nameOf(selected)}: press again`);
    return true;
  }

  function pressed(press: Press): void {
    if (press.type === "key" && !press.repeat && beside.pressed?.(press.name)) return;
    const wanted = press.type === "key" ? actionOf(press.name) : undefined;
    // A key that is held down moves, and does nothing else.
    if (press.type === "key" && press.repeat && wanted && !MOVING.has(wanted.type)) return;
    if (wanted && (wanted.type === "quit" || !answering.isOpening())) act(wanted);
  }

  return {
    render(): string[] {
      const { columns, rows } = size();
      beside.drawn?.(model.ask());
      const lines = frame(model, theme, { columns, rows }, prompt?.render(columns));
      return box ? over(lines, box.render({ columns, rows }), { columns, rows }) : lines;
    },
    point(mouse: Mouse): void {
      if (box) pointInBox(box, mouse, size());
      else if (!prompt && !answering.isOpening()) pointInFrame(mouse);
      repaint();
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
      if ((known && isOver(known)) || !isOver(news)) return;
      model.marked.delete(news.id);
      if (answering.concludeIfSettled(news)) return;
      if (isSelected && !desk.isMine(news.id)) model.said = { type: "late", id: news.id };
    },
  };
}
