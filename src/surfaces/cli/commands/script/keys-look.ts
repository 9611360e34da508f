import { AGENTS } from "../../../../agents/agents.ts";
import { safeLine } from "../../../../core/text/text.ts";
import { openPane } from "../../../../keys/pane.ts";
import { readPane, type Reading } from "../../../../keys/read/read-pane.ts";
import type { Row, Screen } from "../../../../keys/screen.ts";
import { jsonLine } from "../../json.ts";
import { findTarget, type Target } from "../../keys-target.ts";
import type { Context } from "../../context.ts";

/** Contract: reads only. */
export async function look(
  name: string,
  { server, json }: { server: string | undefined; json: boolean },
  { client, terminal }: Context,
): Promise<number> {
  const target = await findTarget(name, server, client, terminal.env);
  const { agent, screen, layout, capture } = await recognise(target);
  if (json) {
    const { width, height } = capture;
    terminal.out(jsonLine({ pane: target.pane, width, height, agent, layout: layout?.version, screen }));
  } else terminal.out(`${describeScreen(screen).join("\n")}\n`);
  return screen.type === "unknown" ? 1 : 0;
}

export async function recognise({ pane }: Target): Promise<Reading & { agent?: string }> {
  const opened = await openPane(pane);
  for (const { title, screens = [] } of AGENTS) {
    const reading = await readPane(opened, screens);
    if (reading.screen.type !== "unknown" || title === AGENTS.at(-1)?.title) return { agent: title, ...reading };
  }
  return readPane(opened, []);
}

export function describeScreen(screen: Screen): string[] {
  switch (screen.type) {
    case "unknown":
      return [`unknown: ${screen.why}`];
    case "prompt":
      return [screen.draft === "" ? "no dialog: the input box, empty" : `no dialog: the input box, with a draft`];
    case "review":
      return [
        "review page",
        ...screen.text.split("\n").map((line) => `  ${safeLine(line)}`),
        ...screen.rows.map(inWords),
      ];
    case "approval":
      return [
        `a call that waits for leave: ${safeLine(screen.about)}`,
        ...screen.shown.split("\n").map((line) => `  ${safeLine(line)}`),
        ...screen.rows.map(inWords),
      ];
    case "question": {
      const { text, cut, multiSelect, preview, notes, tabs, rows } = screen;
      const kinds = [
        multiSelect ? "several options" : "one option",
        preview && "with previews",
        cut && "cut off above: the terminal is not tall enough",
      ].filter((kind) => kind !== false);
      return [
        `question: ${safeLine(text)} (${kinds.join(", ")})`,
        ...(tabs.length > 0
          ? [`tabs: ${tabs.map(({ header, done }) => `${done ? "☒" : "☐"} ${safeLine(header)}`).join("  ")}`]
          : []),
        ...rows.map(inWords),
        ...(notes ? [`notes: ${safeLine(notes.text) || (notes.open ? "(open, empty)" : "(none)")}`] : []),
      ];
    }
  }
}

const NAMES = {
  option: "",
  "own-words": "own words",
  advance: "go on",
  chat: "chat",
  send: "send",
  cancel: "cancel",
  all: "all",
};

function inWords({ kind, number, text, checked, cursor }: Row): string {
  const box = checked === undefined ? "" : checked ? "[x] " : "[ ] ";
  const what = kind === "option" ? safeLine(text) : `(${NAMES[kind]}) ${kind === "own-words" ? safeLine(text) : ""}`;
  return `${cursor ? ">" : " "} ${number === undefined ? "  " : `${number}.`} ${box}${what}`.trimEnd();
}
