import { expect } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Case } from "../../../scripts/proof.ts";
import type { AskView } from "../../../src/protocol/view.ts";
import { eventually } from "../../patience.ts";
import type { Asked } from "./driver.ts";
import { hostile } from "./hostile.ts";
import { database, expectPicked, type Open, openQuestion } from "./open-question.ts";
import { contains, heard, type Scene, wordsFor } from "./scene.ts";

const features = ({ tag }: Scene, part: string, more: Partial<Asked> = {}): Asked => ({
  text: `Which features for ${tag}-${part}?`,
  header: "Features",
  labels: ["Auth", "Billing, monthly", "Search", "Export"],
  multi: true,
  ...more,
});

async function verified(scene: Scene, ask: AskView, type = "answered"): Promise<void> {
  const done = await scene.ends(ask);
  expect([done.state, done.outcome?.type, done.sentence]).toEqual([
    scene.driver.untold ? expect.stringMatching(/^(verified|delivered)$/) : "verified",
    type,
    done.sentence,
  ]);
}

const labelOf = (ask: AskView, match: (option: { label: string; effect?: string }) => boolean): string => {
  const at = ask.questions[0]?.options.findIndex((option) => match(option as { label: string; effect?: string })) ?? -1;
  if (at < 0) throw new Error(`no such option: ${JSON.stringify(ask.questions[0]?.options)}`);
  return String(at + 1);
};
const isMade = ({ driven }: Scene, file: string) => existsSync(join(driven.project, file));

export const PLAYED: Record<Case, (scene: Scene) => Promise<void>> = {
  async single(scene) {
    const asked = database(scene, "a");
    const ask = await scene.asking("a", [asked]);
    const pick = scene.random(3);
    await scene.answer(ask.id, String(pick + 1));
    expectPicked(await scene.received("a"), asked, [pick]);
    await verified(scene, ask);
  },

  async multi(scene) {
    const asked = features(scene, "a");
    const ask = await scene.asking("a", [asked]);
    const picks = [scene.random(2), 2 + scene.random(2)];
    await scene.answer(ask.id, picks.map((pick) => pick + 1).join(","));
    expectPicked(await scene.received("a"), asked, picks);
    await verified(scene, ask);
  },

  async several(scene) {
    const second = features(scene, "a", { multi: scene.driver.picksOne !== true });
    const forms = [database(scene, "a"), second];
    const ask = await scene.asking("a", forms);
    expect(ask.questions).toHaveLength(2);
    const picks = [[scene.random(3)], scene.driver.picksOne ? [1] : [0, 1 + scene.random(3)]];
    const answers = picks.map((each) => ({ picks: each }));
    expect(await scene.settle(ask.id, { action: "answer", answers })).toBeUndefined();
    const text = await scene.received("a");
    for (const [i, asked] of forms.entries()) expectPicked(text, asked, picks[i] ?? []);
    await verified(scene, ask);
  },

  async own(scene) {
    const ask = await scene.asking("a", [wordsFor(scene, database(scene, "a"))]);
    const words = `neither: "${scene.tag}", the small one`;
    await scene.answer(ask.id, "--text", words);
    expect(contains(await scene.received("a"), words)).toBe(true);
    await verified(scene, ask);
  },

  async once(scene) {
    const file = `${scene.tag}.txt`;
    const ask = await scene.calling("a", file);
    expect([ask.kind, isMade(scene, file)]).toEqual([ask.kind, false]);
    await scene.answer(ask.id, "1");
    await scene.received("a");
    await verified(scene, ask);
    expect(isMade(scene, file)).toBe(true);
  },

  async always(scene) {
    const file = `${scene.tag}.txt`;
    const ask = await scene.calling("a", file);
    const { always = /always|session/i } = scene.driver;
    await scene.answer(
      ask.id,
      labelOf(ask, ({ label, effect }) => effect === "allow" && always.test(label)),
    );
    await scene.received("a");
    await verified(scene, ask);
    await scene.driven.idle();
    // The same again: nobody is asked.
    const before = (await scene.driven.program.client("human").call("listAsks", { query: { state: "all" } })).asks;
    await scene.runs("b", file);
    const after = (await scene.driven.program.client("human").call("listAsks", { query: { state: "all" } })).asks;
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    scene.noted.outcome.push("the same call again ran without a question");
  },

  async deny(scene) {
    const file = `${scene.tag}.txt`;
    const ask = await scene.calling("a", file);
    const words = `use mktemp for ${scene.tag}, please`;
    const options = ask.questions[0]?.options ?? [];
    const effect = ["deny", "cancel"].find((each) => options.some((option) => option.effect === each));
    const option = labelOf(ask, (each) => (effect === undefined ? each.label === "No" : each.effect === effect));
    await scene.answer(ask.id, option, "-m", words);
    if (scene.driver.wordsKept) {
      await scene.driven.idle();
      const told = scene.driven.model.toolResults().find(({ toolUseId }) => toolUseId === scene.idOf("a"));
      scene.noted.received.push(told?.text ?? "");
    } else await heard(scene, words);
    await verified(scene, ask);
    expect(isMade(scene, file)).toBe(false);
  },

  async outside(scene) {
    const opened = await openQuestion(scene, "a");
    await scene.answer(opened.ask.id, String(opened.outside + 1));
    expect(await opened.obeyed()).toBe("outside");
    await verified(scene, opened.ask);
    await scene.driven.idle();
    await tellsLater(scene, opened, opened.outside, opened.there);
    const results = scene.driven.model.toolResults().filter(({ toolUseId }) => toolUseId === scene.idOf("a"));
    expect(results).toHaveLength(1);
  },

  async terminal(scene) {
    const opened = await openQuestion(scene, "a");
    scene.noted.answer = `in the terminal: option ${opened.there + 1}`;
    const send = await scene.driven.pointsAt(opened.there, opened.asked);
    await send();
    // As often as it takes: some ignore a key in the first moments of a dialog.
    const came = scene.driver.onlyLeave ? scene.driven.idle() : scene.driven.model.waitForToolResult(scene.idOf("a"));
    const isHere = came.then(() => true);
    while (!(await Promise.race([isHere, Bun.sleep(10_000).then(() => false)]))) await send();
    expect(await opened.obeyed()).toBe("there");
    const done = await scene.ends(opened.ask);
    expect(done.outcome?.type).toMatch(opened.told);
    if (!scene.driver.onlyLeave) expect(done.outcome?.answers?.[0]?.picks).toEqual([opened.there]);
    await tellsLater(scene, opened, opened.there, opened.outside);
  },

  async instant(scene) {
    for (const part of ["a", "b", "c", "d"]) {
      const { ask, asked, outside, there, obeyed, told } = await openQuestion(scene, part);
      const send = await scene.driven.pointsAt(there, asked);
      const [afterHere, afterThere] = [scene.random(60), scene.random(60)];
      const [refused] = await Promise.all([
        Bun.sleep(afterHere).then(() => scene.settle(ask.id, { action: "answer", answers: [{ picks: [outside] }] })),
        Bun.sleep(afterThere).then(send),
      ]);
      scene.noted.answer += `, after ${afterHere} ms; in the terminal: option ${there + 1}, after ${afterThere} ms`;
      const who = await obeyed();
      const done = await scene.ends(ask);
      if (who === "outside")
        expect([done.outcome?.type, done.outcome?.answers?.[0]?.picks]).toEqual(["answered", [outside]]);
      else expect(done.outcome?.type).toMatch(told);
      if (who === "there" && !scene.driver.onlyLeave) expect(done.outcome?.answers?.[0]?.picks).toEqual([there]);
      if (refused !== undefined) scene.noted.outcome.push(`who was later outside is told: ${refused}`);
      const results = scene.driven.model.toolResults().filter(({ toolUseId }) => toolUseId === scene.idOf(part));
      expect(results.length).toBeLessThanOrEqual(1);
      await scene.driven.idle();
    }
  },

  async esc(scene) {
    const { ask, asked } = await openQuestion(scene, "a");
    await scene.driven.escape();
    scene.noted.answer = "in the terminal: Esc";
    const done = await scene.ends(ask);
    expect([done.state, done.outcome?.type]).toEqual(["closed", "declined"]);
    await scene.driven.idle();
    // Some end their turn: the model reads of it with the next prompt, or never.
    const { model } = scene.driven;
    const before = model.requests.length;
    await scene.driven.prompt("go on");
    await eventually(() => expect(model.requests.length).toBeGreaterThan(before));
    await scene.driven.idle();
    const told = model.toolResults().find(({ toolUseId }) => toolUseId === scene.idOf("a"));
    scene.noted.received.push(told?.text ?? "");
    expectPicked(told?.text ?? "", asked, []);
    expect(isMade(scene, `${scene.tag}-a.txt`)).toBe(false);
  },

  async daemon(scene) {
    const { ask, outside, obeyed } = await openQuestion(scene, "a");
    await scene.driven.program.kill9();
    await scene.driven.program.start();
    await scene.driven.find(({ id, reachable }) => id === ask.id && reachable);
    await scene.answer(ask.id, String(outside + 1));
    expect(await obeyed()).toBe("outside");
    await verified(scene, ask);
  },

  hostile,

  async killed(scene) {
    const { ask } = await openQuestion(scene, "a");
    await scene.driven.kill();
    scene.noted.answer = "none: SIGKILL";
    const done = await scene.ends(ask);
    expect([done.state, done.outcome?.type]).toEqual(["closed", "withdrawn"]);
    expect(scene.driven.model.toolResults().filter(({ toolUseId }) => toolUseId === scene.idOf("a"))).toEqual([]);
    scene.noted.received.push("");
  },
};

/** Who answers what is answered is told so, and what it was. */
async function tellsLater(scene: Scene, { ask, asked }: Open, won: number, late: number): Promise<void> {
  const { code, out, err } = await scene.answer(ask.id, String(late + 1));
  const label = scene.driver.onlyLeave ? expect.any(String) : expect.stringContaining(asked.labels[won] ?? "");
  expect([code, out + err]).toEqual([4, label]);
  scene.noted.outcome.push(`who comes later is told: ${(out + err).trim()}`);
}
