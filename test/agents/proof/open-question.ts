import { expect } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AskView } from "../../../src/protocol/view.ts";
import type { Asked } from "./driver.ts";
import { contains, type Scene } from "./scene.ts";

export const LABELS = ["PostgreSQL", "SQLite, embedded", "DuckDB"];
export const database = ({ tag }: Scene, part: string, more: Partial<Asked> = {}): Asked => ({
  text: `Which database for ${tag}-${part}?`,
  header: "Database",
  labels: LABELS,
  ...more,
});

/** What the model read is what was picked, and nothing else of what was offered. */
export function expectPicked(text: string, asked: Asked, picks: readonly number[]): void {
  const found = asked.labels.flatMap((label, i) => (contains(text, label) ? [i] : []));
  expect([text, found]).toEqual([text, [...picks]]);
}

/** For who is first: something that waits for an answer, of which two are tried, one outside and one in the terminal. */
export type Open = {
  ask: AskView;
  asked: Asked;
  /** The options picked outside and in the terminal. */
  outside: number;
  there: number;
  /** Which of the two was obeyed, by what the model received and what was done. */
  obeyed(): Promise<"outside" | "there">;
  /** What Parley says of the one in the terminal. */
  told: RegExp;
};

/** A question; of an agent that asks only for leave, that: allowed outside, refused in the terminal. */
export async function openQuestion(scene: Scene, part: string): Promise<Open> {
  return scene.driver.onlyLeave ? leave(scene, part) : question(scene, part);
}

async function question(scene: Scene, part: string): Promise<Open> {
  const asked = database(scene, part);
  const ask = await scene.asking(part, [asked]);
  return {
    ask,
    asked,
    outside: 0,
    there: 1,
    async obeyed() {
      const text = await scene.received(part);
      const isOurs = contains(text, LABELS[0] ?? "");
      expectPicked(text, asked, [isOurs ? 0 : 1]);
      return isOurs ? "outside" : "there";
    },
    told: /^(overtaken|answered-elsewhere)$/,
  };
}

async function leave(scene: Scene, part: string): Promise<Open> {
  const file = `${scene.tag}-${part}.txt`;
  const ask = await scene.calling(part, file);
  const labels = ask.questions[0]?.options.map(({ label }) => label) ?? [];
  const there = ask.questions[0]?.options.findIndex(({ effect }) => effect === "deny") ?? -1;
  return {
    ask,
    asked: { text: file, header: "", labels },
    outside: 0,
    there,
    async obeyed() {
      // A refusal may end its turn, and then the model reads of it later.
      await scene.driven.idle();
      const told = scene.driven.model.toolResults().find(({ toolUseId }) => toolUseId === scene.idOf(part));
      scene.noted.received.push(told?.text ?? "");
      return existsSync(join(scene.driven.project, file)) ? "outside" : "there";
    },
    told: /^(overtaken|declined)$/,
  };
}
