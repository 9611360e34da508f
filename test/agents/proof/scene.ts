import { cut } from "../../../scripts/proof.ts";
import type { Say } from "../../../src/lab/model.ts";
import type { AskView } from "../../../src/protocol/view.ts";
import type { Ran } from "../../e2e/program.ts";
import { eventually, UNTIL_RECEIVED } from "../../patience.ts";
import type { Asked, Driven, Driver } from "./driver.ts";

/** One run of a case: what was asked, answered and received is noted on the way. */
export type Scene = {
  driver: Driver;
  driven: Driven;
  random(below: number): number;
  /** Named by the case and the seed: nothing of an earlier run looks like it. */
  tag: string;
  noted: { asked: string; answer: string; received: string[]; outcome: string[] };
  /** The model asks; the Ask is in Parley and can be answered. */
  asking(name: string, questions: readonly Asked[], options?: { unseen?: boolean }): Promise<AskView>;
  calling(name: string, file: string): Promise<AskView>;
  /** The same, where nobody is to be asked. */
  runs(name: string, file: string): Promise<void>;
  answer(id: string, ...args: string[]): Promise<Ran>;
  settle(id: string, body: object): Promise<string | undefined>;
  received(name: string): Promise<string>;
  /** Once nothing more is to come; noted. */
  ends(ask: AskView): Promise<AskView>;
  idOf(name: string): string;
};

const PENDING = new Set(["open", "settled", "delivered"]);
const isAbout = (tag: string) => (ask: AskView) => ask.questions.some((each) => JSON.stringify(each).includes(tag));

export function createScene(driver: Driver, driven: Driven, script: Record<string, Say[]>, name: string, seed: number) {
  const tag = `${name}-${seed.toString(36)}`;
  const noted: Scene["noted"] = { asked: "", answer: "", received: [], outcome: [] };
  const note = (words: string) => (noted.answer = [noted.answer, words].filter(Boolean).join("; "));
  const client = driven.program.client("human");
  const idOf = (part: string) => `call_${tag}-${part}`;
  const clean = (text: string) =>
    cut(text.replaceAll(driven.project, "<project>").replaceAll(driven.program.root, "<parley>"));

  async function says(part: string, say: Say, shown: Asked | "call" | undefined, about: string): Promise<AskView> {
    script[`${tag}-${part}`] = [{ text: "One thing first." }, say];
    if (noted.asked === "") noted.asked = clean("input" in say ? JSON.stringify(say.input) : "");
    await driven.prompt(`SCENARIO:${tag}-${part}`);
    if (shown) await driven.shown(shown);
    return driven.find((ask) => isAbout(about)(ask) && ask.state === "open" && ask.reachable);
  }

  const scene: Scene = {
    driver,
    driven,
    random: seeded(seed),
    tag,
    noted,
    idOf,
    asking: (part, questions, { unseen = false } = {}) =>
      says(part, driver.asks(idOf(part), questions), unseen ? undefined : questions[0], `${tag}-${part}`),
    calling: (part, file) => says(part, driver.calls(idOf(part), file), "call", file),
    async runs(part, file) {
      script[`${tag}-${part}`] = [driver.calls(idOf(part), file)];
      await driven.prompt(`SCENARIO:${tag}-${part}`);
      noted.received.push(clean((await driven.model.waitForToolResult(idOf(part))).text));
    },
    async answer(id, ...args) {
      note(`outside: parley answer ${args.map((arg) => JSON.stringify(cut(arg))).join(" ")}`);
      return driven.program.parley(["answer", id, ...args], { env: driver.untold ? {} : UNTIL_RECEIVED });
    },
    async settle(id, body) {
      note(`outside: ${cut(JSON.stringify(body))}`);
      const given = { id, body } as Parameters<typeof client.call<"settleAsk">>[1];
      return client.call("settleAsk", given).then(
        () => undefined,
        (refused: Error) => refused.message,
      );
    },
    async received(part) {
      const { text } = await driven.model.waitForToolResult(idOf(part));
      noted.received.push(clean(text));
      return text;
    },
    async ends({ id }) {
      const isOver = ({ state }: AskView) => !PENDING.has(state) || (driver.untold === true && state === "delivered");
      const done = await driven.find((ask) => ask.id === id && isOver(ask));
      noted.outcome.push(clean(`${done.state}${done.outcome ? `, ${done.outcome.type}` : ""}: ${done.sentence}`));
      return done;
    },
  };
  return scene;
}

/** Somewhere in what the model was sent, also where it came as a message of its own. */
export async function heard({ driven, noted }: Scene, words: string): Promise<void> {
  const message = await eventually(() => {
    const found = driven.model.requests
      .flatMap(({ messages }) => messages)
      .findLast((each) => contains(JSON.stringify(each), words));
    if (!found) throw new Error(`the model did not read ${JSON.stringify(words)}`);
    return found;
  });
  noted.received.push(cut(JSON.stringify(message)));
}

/** Where a list takes no words beside its options, a question without any. */
export const wordsFor = ({ driver }: Scene, asked: Asked): Asked =>
  driver.wordsApart ? { ...asked, labels: [] } : asked;

/** As it is, or written as JSON, also inside other JSON. */
export function contains(text: string, words: string): boolean {
  const once = JSON.stringify(words).slice(1, -1);
  const twice = JSON.stringify(once).slice(1, -1);
  return [words, once, twice, JSON.stringify(twice).slice(1, -1)].some((each) => text.includes(each));
}

/** The same numbers for the same seed. */
export function seeded(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}
