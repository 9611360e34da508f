import { createKeyReader } from "../../../dialog/keys.ts";
import type { Theme } from "../../../dialog/theme.ts";
import { safeLine } from "../../../core/text/text.ts";
import type { CallOf } from "../../../protocol/contract.ts";
import type { GrantOffer, GrantView } from "../../../protocol/grant.ts";
import { hang } from "../../terminal/columns.ts";
import { type Box, framed } from "../draw/box.ts";
import { GUARD_MS } from "../cursor.ts";
import { createPrompt, type Prompt } from "../prompt.ts";

export type GrantWish = Omit<NonNullable<CallOf<"giveGrant">["body"]>, "surface" | "dry">;
type Way = { index: number; label: string };
type GrantBox = {
  title: string;
  wish: GrantWish;
  /** What it can be given for; none: that is typed. */
  ends: readonly string[];
  /** Of a plan: what it names, and the ways to accept it. */
  calls?: GrantOffer["calls"];
  ways?: readonly Way[];
  verb: string;
  /** What it would match. */
  look: (wish: GrantWish) => Promise<readonly GrantView[]>;
  give: (wish: GrantWish) => void;
  close: () => void;
  repaint: () => void;
  now: () => number;
};
const WIDEST = 100;

/** Leave for a while. Contract: only what is shown can be given, and not by a key that was meant for what stood there before. */
export function createGrantBox(theme: Theme, box: GrantBox): Box {
  const { calls, ways = [], ends } = box;
  const read = createKeyReader();
  const appeared = box.now();
  let wish = box.wish;
  let shown: { key: string; grants: readonly GrantView[] } | undefined;
  let problem: string | undefined;
  let prompt: Prompt | undefined;
  let row = 0;
  let top = 0;
  /** So many lines of it were on the screen, and so many there are. */
  let [seen, all] = [0, 0];
  change({});

  const isShown = () => shown?.key === JSON.stringify(wish) && problem === undefined;

  function change(part: GrantWish): void {
    wish = { ...wish, ...part };
    const key = JSON.stringify(wish);
    problem = undefined;
    [top, seen] = [0, 0];
    box.look(wish).then(
      (grants) => settled(key, () => (shown = { key, grants })),
      (error: unknown) => settled(key, () => (problem = error instanceof Error ? error.message : String(error))),
    );
  }
  function settled(key: string, take: () => void): void {
    if (key !== JSON.stringify(wish)) return;
    take();
    box.repaint();
  }

  function edit(name: "pattern" | "folder" | "for", label: string): void {
    const cancel = () => (prompt = undefined);
    const done = (text: string) => {
      prompt = undefined;
      if (text.trim() !== "") change({ [name]: text.trim() });
    };
    prompt = createPrompt(theme, { label, value: wish[name] ?? "", hint: "", done, cancel });
  }

  function press(key: string): void {
    const step = { left: -1, right: 1 }[key];
    if (step !== undefined && ends.length > 1) {
      const at = ends.indexOf(wish.for ?? "");
      return change({ for: ends[(at + step + ends.length) % ends.length] ?? wish.for });
    }
    if (step !== undefined && ways.length > 1) {
      const at = ways.findIndex(({ index }) => index === wish.pick);
      return change({ pick: ways[(at + step + ways.length) % ways.length]?.index });
    }
    if (calls && (key === "down" || key === "j")) row = Math.min(row + 1, calls.length - 1);
    else if (calls && (key === "up" || key === "k")) row = Math.max(0, row - 1);
    else if (calls && key === "space") tick(calls[row]?.pattern.text ?? "");
    else if (!calls && key === "p") edit("pattern", "Pattern:");
    else if (!calls && key === "f") edit("folder", "Folder:");
    else if (!calls && ends.length === 0 && key === "e") edit("for", "For (30m, 10x):");
    else if (key === "escape" || key === "n" || key === "q") box.close();
    else if (key === "pageDown" || key === "J") top += 3;
    else if (key === "pageUp" || key === "K") top = Math.max(0, top - 3);
    else if ((key === "enter" || key === "y") && isShown() && seen >= all && box.now() - appeared >= GUARD_MS) {
      box.close();
      box.give(wish);
    }
  }

  function tick(text: string): void {
    const before = wish.patterns ?? [];
    change({ patterns: before.includes(text) ? before.filter((each) => each !== text) : [...before, text] });
  }

  function lines(width: number): string[] {
    const chosen = (names: readonly string[], at: number) =>
      names.map((name, i) => (i === at ? theme.selected(`[${name}]`) : theme.muted(` ${name} `))).join(" ");
    const named = (calls ?? []).flatMap(({ title, held, pattern: { text } }, i) => {
      const mark = wish.patterns?.includes(text) ? "[x]" : "[ ]";
      const why =
        held === undefined ? [] : hang("        ", `held back: ${safeLine(held, { max: 200 })}`, width, theme.error);
      return [
        ...hang(`${i === row ? theme.selected("❯") : " "} ${mark} `, safeLine(title, { max: 400 }), width),
        ...why,
      ];
    });
    const [first] = shown?.grants ?? [];
    const matches = (first?.lines ?? []).flatMap(([name, text], i) => {
      const all = i === 0 ? (shown?.grants ?? []).map(({ lines: [allows] }) => allows?.[1] ?? "").join("\n") : text;
      return hang(theme.muted(name.padEnd(9)), all, width, i === 0 ? theme.title : undefined);
    });
    return [
      ...(ends.length > 1 ? [`For  ${chosen(ends, ends.indexOf(wish.for ?? ""))}`, ""] : []),
      ...named,
      ...(ways.length > 1
        ? [
            "",
            chosen(
              ways.map(({ label }) => safeLine(label, { max: 40 })),
              ways.findIndex(({ index }) => index === wish.pick),
            ),
          ]
        : []),
      ...(named.length > 0 ? [""] : []),
      ...(problem === undefined ? matches : hang("", `✗ ${problem}`, width, theme.error)),
    ];
  }

  return {
    render(size) {
      const width = Math.min(size.columns, WIDEST) - 4;
      const body = lines(width);
      const height = Math.max(1, size.rows - 4);
      top = Math.min(top, Math.max(0, body.length - height));
      if (isShown()) [seen, all] = [Math.max(seen, top + height), body.length];
      const keys = [
        ...(body.length > height ? [`PgDn ${Math.min(top + height, body.length)}/${body.length}`] : []),
        ...(isShown() && seen >= all ? [`Enter ${box.verb}`] : []),
        ...(ends.length > 1 || ways.length > 1 ? ["←→ change"] : []),
        ...(calls ? ["Space tick"] : ["p pattern", "f folder", ...(ends.length === 0 ? ["e end"] : [])]),
        "Esc leave it",
      ].join("   ");
      const last = prompt?.render(width) ?? theme.muted(keys);
      return framed(box.title, [...body.slice(top, top + height), "", last], theme, size);
    },
    point() {},
    handleInput(data) {
      if (prompt) return prompt.handleInput(data);
      for (const pressed of read(data)) if (pressed.type === "key") press(pressed.name);
    },
  };
}
