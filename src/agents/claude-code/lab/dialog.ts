import type { Tmux } from "../../../lab/tmux.ts";

// Keys are sent one at a time and the screen is read after each: in a burst Claude Code loses some.

/** 2.1.325 ignores Enter and digits in the first 200 ms of a dialog, so that nobody answers by accident. */
const GUARD_MS = 350;
/** A key is taken for lost, and sent again, after a time in which even a busy machine would have drawn. */
const LOST_MS = 10_000;

/** The part of the screen that is the open dialog: from its last tab line to the end. */
export function dialogIn(screen: string): string | undefined {
  const lines = screen.trimEnd().split("\n");
  const from = lines.findLastIndex((line) => /^(←\s+| )[☐☒✔] /.test(line));
  return from < 0 ? undefined : lines.slice(from).join("\n");
}

/** Waits until the dialog for this question is drawn and takes keys. */
export async function waitForDialog(tmux: Tmux, questionText: string, timeoutMs = tmux.patienceMs): Promise<string> {
  const wanted = squeeze(questionText);
  let since = Number.POSITIVE_INFINITY;
  return tmux.waitFor(
    (screen) => {
      const dialog = dialogIn(screen) ?? "";
      const open = squeeze(dialog).includes(wanted) && cursorRow(dialog) !== undefined;
      since = open ? Math.min(since, performance.now()) : Number.POSITIVE_INFINITY;
      return performance.now() - since > GUARD_MS;
    },
    { timeoutMs },
  );
}

/** Moves to row `n` and presses Enter: picks on single-select, toggles on multi-select. */
export async function pickOption(tmux: Tmux, n: number): Promise<void> {
  await moveTo(tmux, new RegExp(`^${n}\\.`));
  await press(tmux, "Enter");
}

/** Puts the cursor on row `n` and presses nothing more. */
export async function pointAt(tmux: Tmux, n: number): Promise<void> {
  await moveTo(tmux, new RegExp(`^${n}\\.`));
}

/** Types into "Type something" and, where that is not a checkbox, sends it. */
export async function typeAnswer(tmux: Tmux, text: string): Promise<void> {
  await moveTo(tmux, /^\d+\.( \[.\])? Type something/);
  await tmux.type(text);
  const typed = await tmux.waitFor((screen) => squeeze(dialogIn(screen) ?? "").includes(squeeze(text)));
  const row = cursorRow(dialogIn(typed) ?? "") ?? "";
  if (!/^\d+\. \[/.test(row)) await press(tmux, "Enter");
}

/** For a previewed question: adds a note to option `n` and sends it. */
export async function pickWithNote(tmux: Tmux, n: number, note: string): Promise<void> {
  await moveTo(tmux, new RegExp(`^${n}\\.`));
  await press(tmux, "n");
  await tmux.type(note);
  await tmux.waitFor((screen) => squeeze(dialogIn(screen) ?? "").includes(squeeze(`Notes: ${note}`)));
  await press(tmux, "Enter");
}

/** Leaves a multi-select question by its own button: `Submit` on the last tab, `Next` before. */
export async function leaveTab(tmux: Tmux): Promise<void> {
  await moveTo(tmux, /^(Submit|Next)$/);
  await press(tmux, "Enter");
}

/** Sends a form from its review page. */
export async function submitReview(tmux: Tmux): Promise<void> {
  await tmux.waitFor((screen) => /Review your answers/.test(dialogIn(screen) ?? ""));
  await pickOption(tmux, 1);
}

export async function chatAboutThis(tmux: Tmux): Promise<void> {
  await moveTo(tmux, /^(\d+\. )?Chat about this/);
  await press(tmux, "Enter");
}

export async function pressEsc(tmux: Tmux): Promise<void> {
  await press(tmux, "Escape");
}

async function moveTo(tmux: Tmux, row: RegExp): Promise<void> {
  for (let steps = 0; steps < 30; steps += 1) {
    const before = cursorRow(dialogIn(await tmux.screen()) ?? "");
    if (before !== undefined && row.test(before)) return;
    await tmux.keys("Down");
    // The cursor goes round, so one too many does no harm.
    await tmux
      .waitFor((screen) => cursorRow(dialogIn(screen) ?? "") !== before, { timeoutMs: LOST_MS })
      .catch(() => undefined);
  }
  throw new Error(`the dialog has no row ${row}; the terminal shows:\n${await tmux.screen()}`);
}

/** Sends a key until the dialog changes. */
async function press(tmux: Tmux, key: string): Promise<void> {
  const before = dialogIn(await tmux.screen());
  const changed = (screen: string) => dialogIn(screen) !== before;
  for (const until = performance.now() + tmux.patienceMs; performance.now() < until;) {
    await tmux.keys(key);
    const took = await tmux.waitFor(changed, { timeoutMs: LOST_MS }).catch(() => undefined);
    if (took !== undefined) return;
  }
  throw new Error(`the dialog does not take ${key}; the terminal shows:\n${await tmux.screen()}`);
}

function cursorRow(dialog: string): string | undefined {
  const line = dialog.split("\n").find((candidate) => candidate.startsWith("❯"));
  return line?.slice(1).trim();
}

function squeeze(text: string): string {
  return text.replace(/\s/g, "");
}
