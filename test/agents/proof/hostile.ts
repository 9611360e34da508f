import { expect } from "bun:test";
import type { AskView } from "../../../src/protocol/view.ts";
import { contains, type Scene, wordsFor } from "./scene.ts";

const ESC = "\u001b";
/** What acts on a terminal, turns text round, ends a script, a string or a line, or is wider than it looks. */
const EVIL = [
  `${ESC}[31mred${ESC}[0m`,
  `${ESC}]0;owned\u0007`,
  "\u202ebidi\u2066",
  "zero\u200bwidth",
  "🦊 日本語 e\u0301",
  "</script><b>&amp;",
  `"quotes' \`ticks\` $(id) \\n`,
].join(" ");
/** With the rest just below what an answer may hold (10,000 characters). */
const LONG = "ten kilobytes ".repeat(700);
/** Anything that acts on a terminal, but for the line end. */
const ACTING = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b]/;

export async function hostile(scene: Scene): Promise<void> {
  // A dialog that is taller than the terminal is not drawn well by all of them afterwards: it comes last.
  const short = wordsFor(scene, {
    text: `Which words for ${scene.tag}-b?`,
    header: "Words",
    labels: ["Plain", "Other", "Third"],
  });
  const second = await scene.asking("b", [short]);
  const words = `${EVIL}\nand ${LONG}`.trim();
  const refused = await scene.settle(second.id, { action: "answer", answers: [{ picks: [], text: words }] });
  if (refused !== undefined) throw new Error(refused);
  await exactly(scene, second, "b", words);

  const asked = {
    text: `Which one for ${scene.tag}-a? ${EVIL}\nand ${LONG}`,
    header: "Evil",
    labels: [`Plain`, `A ${EVIL}`, "Other"],
  };
  const first = await scene.asking("a", [asked], { unseen: true });
  for (const args of [["ls"], ["show", first.id], ["log"]]) {
    const { out, err } = await scene.driven.program.parley(args);
    expect([args[0], ACTING.exec(out + err)]).toEqual([args[0], null]);
  }
  await scene.settle(first.id, { action: "answer", answers: [{ picks: [1] }] });
  await exactly(scene, first, "a", asked.labels[1] ?? "");
}

/** The model reads it to the letter; by keys, or it is said why not, and nothing was typed. */
async function exactly(scene: Scene, ask: AskView, part: string, words: string): Promise<void> {
  const { driver, driven, noted } = scene;
  const released = driven.find(({ id, deliveries }) => id === ask.id && deliveries.some((each) => each.released));
  const came = driven.model.waitForToolResult(scene.idOf(part));
  // Only one of them comes.
  for (const each of [released, came]) each.catch(() => undefined);
  const won = driver.byKeys ? await Promise.race([released, came]) : await came;
  if ("toolUseId" in won) {
    const text = await scene.received(part);
    expect([contains(text, words), text.slice(0, 3000)]).toEqual([true, text.slice(0, 3000)]);
    expect((await scene.ends(ask)).outcome?.type).toBe("answered");
    await driven.idle();
    return;
  }
  noted.outcome.push(`not typed, and said why: ${won.deliveries.find((each) => each.released)?.released}`);
  await driven.escape();
  const done = await driven.find(({ id, state }) => id === ask.id && state === "closed");
  noted.outcome.push(`then left with Esc: ${done.sentence}`);
  await driven.idle();
  const told = driven.model.toolResults().find(({ toolUseId }) => toolUseId === scene.idOf(part));
  expect(contains(told?.text ?? "", words)).toBe(false);
  noted.received.push(told?.text ?? "");
}
