import type { Component, Focusable } from "@earendil-works/pi-tui";
import type { Answer } from "../core/ask/answer/answer.ts";
import { endingAnswers } from "../core/form/walk.ts";
import { answers, draftOf, type FormDraft } from "../core/form/form.ts";
import type { Fact } from "../core/fact/fact.ts";
import type { Question } from "../core/ask/question.ts";
import { type DialogState, openState } from "./dialog-state.ts";
import { draw, type Drawing } from "./draw.ts";
import { createKeyReader, type Press } from "./keys.ts";
import type { Mouse } from "./mouse.ts";
import { chooseRow, isTyping, press, scrolled } from "./press.ts";
import type { Theme } from "./theme.ts";

/** `by`: left with one of its `ways`, for what that key opens. */
export type DialogEnd = { type: "submitted"; answers: Answer[] } | { type: "cancelled"; draft: FormDraft; by?: string };
/** A key of the host's beside the dialog's own; it leaves, and is named in the help. */
export type Way = { key: string; words: string };

export type DialogOptions = {
  questions: readonly Question[];
  /** What the agent said before it asked, and where it comes from; scrollable, above the question. */
  context?: string;
  /** What was found out about the call itself; below the question, apart from what the agent says. */
  facts?: () => readonly Fact[];
  /** The body of the question is markdown, as a plan's is; else it is shown to the letter. */
  isProse?: boolean;
  draft?: FormDraft;
  prefill?: readonly Answer[];
  /** A row of the first question that opens as chosen. */
  choose?: number;
  /** Leaving keeps the question open: Esc closes at once. Else it cancels, and asks first. */
  closes?: boolean;
  ways?: readonly Way[];
  theme: Theme;
  /** Cells the dialog may use now. */
  size: () => { columns: number; rows: number };
  now: () => number;
  /** Asks the host for a new frame. */
  repaint: () => void;
  /** Called after every change of what is filled in. */
  onDraft?: (draft: FormDraft) => void;
  /** Called exactly once. */
  onEnd: (end: DialogEnd) => void;
};

/** A pi-tui component: modal, takes every key while open. */
export type Dialog = Component &
  Focusable & {
    handleInput(data: string): void;
    /** A click or the wheel; line 0 is the first of the lines that were last drawn. */
    point(mouse: Mouse): void;
    draft(): FormDraft;
    /** Somebody else settled it: the form turns into this line, keeps what was typed, any key leaves (onEnd cancelled). */
    conclude(line: string): void;
    /** Reduced to one line, so that what is behind it can be read. */
    isCollapsed(): boolean;
    /** A key is text now. */
    isTyping(): boolean;
  };

/** A key so soon after the dialog appeared was meant for what stood there before. */
const GUARD_MS = 300;

export function createDialog(options: DialogOptions): Dialog {
  const { questions, draft, prefill, closes = false, choose, theme, ways = [] } = options;
  const opened = openState(questions, { closes, ...(draft ? { draft } : {}), ...(prefill ? { prefill } : {}) });
  let state = choose === undefined ? opened : chooseRow(opened, choose);
  let appeared: number | undefined;
  let hitAt: Drawing["at"] = () => undefined;
  const read = createKeyReader();

  function handle(pressed: Press): void {
    const now = options.now();
    const by = isOpenForWays() && pressed.type === "key" ? ways.find(({ key }) => key === pressed.name) : undefined;
    // It opens something and settles nothing: no key is too soon for that.
    if (by) return leaveBy(by.key);
    if (isGuarded() && !isText(pressed)) return;
    become(press(state, pressed, { ...options.size(), now }));
  }

  function isOpenForWays(): boolean {
    const { ended, concluded, collapsed, over } = state;
    return ended === undefined && concluded === undefined && !collapsed && over === "form" && !isTyping(state);
  }

  function leaveBy(key: string): void {
    state = { ...state, ended: "cancelled" };
    options.onEnd({ type: "cancelled", draft: draftOf(state.form), by: key });
  }

  function isGuarded(): boolean {
    return appeared === undefined || options.now() - appeared < GUARD_MS;
  }

  function become(next: DialogState): void {
    const before = state;
    state = next;
    if (state === before) return;
    if (state.form.entries.some((entry, i) => entry !== before.form.entries[i])) options.onDraft?.(draftOf(state.form));
    if (before.ended === undefined && state.ended !== undefined) end();
    else options.repaint();
  }

  /** Text for an open field is kept whenever it comes. */
  function isText(pressed: Press): boolean {
    return isTyping(state) && (pressed.type === "paste" || pressed.text !== "");
  }

  function end(): void {
    const submitted = state.ended === "submitted";
    options.onEnd(
      submitted
        ? { type: "submitted", answers: state.over === "ending" ? endingAnswers(questions) : answers(state.form) }
        : { type: "cancelled", draft: draftOf(state.form) },
    );
  }

  return {
    focused: true,
    handleInput(data) {
      for (const pressed of read(data)) handle(pressed);
    },
    point(mouse) {
      const hit = hitAt(mouse.line, mouse.column);
      if (mouse.type === "wheel") return become(scrolled(state, hit?.type === "head" ? "head" : "detail", mouse.by));
      if (hit?.type === "key") return handle({ type: "key", name: hit.name, text: "", repeat: false });
      if (hit?.type === "row" && !isGuarded() && state.ended === undefined) become(chooseRow(state, hit.row));
    },
    render(columns) {
      appeared ??= options.now();
      const around = {
        context: options.context ?? "",
        facts: options.facts?.() ?? [],
        isProse: options.isProse ?? false,
        ways: ways.map(({ key, words }) => `${key}: ${words}`),
        focused: this.focused,
        theme,
      };
      const drawing = draw(state, around, { columns, rows: options.size().rows });
      state = { ...state, scroll: drawing.scroll };
      hitAt = drawing.at;
      return drawing.lines;
    },
    invalidate() {},
    draft: () => draftOf(state.form),
    conclude(line) {
      state = { ...state, concluded: line, collapsed: false };
      appeared = options.now();
      options.repaint();
    },
    isCollapsed: () => state.collapsed,
    isTyping: () => isTyping(state),
  };
}
