import { dialogIn, waitForDialog } from "../../../src/agents/claude-code/lab/dialog.ts";
import { waitForInputBox } from "../../../src/agents/claude-code/lab/prompt.ts";
import { createClient } from "../../../src/client/client.ts";
import type { AskView } from "../../../src/protocol/view.ts";
import { openStage, question, type Stage } from "../../agents/stage.ts";
import { eventually } from "../../patience.ts";
import { type Area, isWrong, killed, lostBy, nothing, type Round } from "./area.ts";
import { remainsOf, type Said } from "./remains.ts";
import { isUp, strikeAt, strikeDaemon, whenUp } from "./strike.ts";

const [QUESTIONS, SHARE, AFTER] = [14, 0.35, 0.25];
const [OTHER, OURS] = ["Option A", "Option B"];
const EVENTS = new Set(["ask.captured", "ask.settled", "ask.typing", "ask.sent", "ask.verified"]);
const textOf = (i: number) => `Which way, number ${i}?`;
const names = Array.from({ length: QUESTIONS }, (_, i) => `q${i}`);

/**
 * A real Claude Code without hooks, in a terminal that is watched: answers are typed. The daemon dies at any event and between two
 * keys. What it had begun to type is never begun again; where it did not come to its end the dialog waits for its person.
 */
export const keys: Area = {
  name: "keys",
  share: 1,
  async play(random) {
    const round = nothing();
    const script = Object.fromEntries(
      names.map((name, i) => [
        name,
        [
          {
            tool: "AskUserQuestion",
            id: `toolu_${name}`,
            input: { questions: [question(textOf(i), [OTHER, OURS])] },
          },
        ],
      ]),
    );
    await using stage = await openStage({ version: "2.1.325", setup: false, script });
    const { program, claude } = stage;
    const client = createClient(program.paths, { wakes: false });
    const over = new AbortController();
    const said: Said[] = [];
    const strike = () => {
      if (strikeDaemon(program)) killed(round, "daemon");
    };
    await program.start();
    const watched = await program.parley(["watch", claude.tmux.address().id, "--server", claude.tmux.address().server]);
    if (watched.code !== 0) throw new Error(watched.err);
    const struck = { round, signal: over.signal, most: Number.POSITIVE_INFINITY };
    const wanted = ({ type }: { type: string }) => EVENTS.has(type) && random() < SHARE;
    /** Right when it says that it begins, or some keys later. */
    const victim = async ({ type }: { type: string }) => {
      if (type === "ask.typing") await Bun.sleep(random() * 400);
      return strikeDaemon(program);
    };
    const striking = strikeAt({ paths: program.paths, events: client.events }, wanted, { ...struck, victim });
    try {
      for (const [i, name] of names.entries()) {
        if (isWrong(round)) break;
        await claude.prompt(`SCENARIO:${name} please`);
        await waitForDialog(claude.tmux, textOf(i));
        round.asks++;
        const { id } = await eventually(async () => {
          await isUp(program);
          const { asks } = await client.call("listAsks", { query: { state: "all", limit: 100 } });
          const [ask, ...more] = asks.filter(({ questions }) => questions[0]?.text === textOf(i));
          if (more.length > 0) round.doubled.push(`${textOf(i)} is there ${more.length + 1} times`);
          if (!ask) throw new Error(`${textOf(i)} was not seen on the screen`);
          return ask;
        });
        const [body, key] = [{ action: "answer" as const, answers: [{ picks: [1] }] }, crypto.randomUUID()];
        const settle = () => client.call("settleAsk", { id, body, idempotencyKey: key });
        if (!(await whenUp(program, settle).catch(lostBy(round)))) break;
        round.answers++;
        said.push({ id, label: OURS });
        if (random() < AFTER) strike();
        const look = () => whenUp(program, () => client.call("getAsk", { id }));
        if (!(await look()).outcome) round.lost.push(`${textOf(i)} was answered, and is open`);
        else await comesToItsEnd(stage, { name, text: textOf(i), look }, round);
      }
      over.abort();
      await striking;
      const { events } = await remainsOf(program, said, round);
      for (const { id } of said) {
        const begun = events.filter(({ ask, type }) => ask === id && type === "ask.typing").length;
        if (begun > 1) round.doubled.push(`${id}: typed ${begun} times`);
      }
      return round;
    } finally {
      over.abort();
    }
  },
};

type Course = { name: string; text: string; look: () => Promise<AskView> };

/** Typed to its end, or left in the middle: then somebody at its terminal leaves the dialog. */
async function comesToItsEnd({ claude, model }: Stage, { name, text, look }: Course, round: Round): Promise<void> {
  const results = () => model.toolResults().filter(({ toolUseId }) => toolUseId === `toolu_${name}`);
  const isCut = ({ deliveries }: AskView) =>
    deliveries.some(({ typedAt, released }) => typedAt !== undefined && released !== undefined);
  const ask = await eventually(async () => {
    const found = await look();
    if (found.state === "verified" || (isCut(found) && isSettled(found))) return found;
    throw new Error(`${text} was answered, and is ${JSON.stringify(found)}`);
  }).catch(lostBy(round));
  if (!ask) return;
  if (ask.state !== "verified" && (dialogIn(await claude.tmux.screen()) ?? "").includes(text)) {
    await claude.tmux.keys("Escape");
    await waitForInputBox(claude.tmux);
    // Its last key may have been on its way while the dialog was still on the screen: then it was typed to its end.
    const isWhole = () => results().some(({ text: got }) => got.includes(OURS) && !got.includes(OTHER));
    await eventually(async () => {
      const found = await look();
      if (found.state === "verified" && isWhole()) return;
      if (found.state === "mismatched") round.unseen.push("cut-while-typing");
      // Keys of ours are in it: what came of it is not what was said, and that is told.
      if (found.state !== "mismatched") throw new Error(`${text} was left in its terminal, and is ${found.state}`);
    }).catch((error: Error) => void round.untrue.push(error.message));
    return;
  }
  const { text: got } = await model.waitForToolResult(`toolu_${name}`);
  if (!got.includes(OURS) || got.includes(OTHER)) round.untrue.push(`${text}: ${OURS} was typed, its model got ${got}`);
  if (results().length > 1) round.doubled.push(`${text}: its model got it ${results().length} times`);
  await eventually(async () => {
    const { state } = await look();
    if (state !== "verified") throw new Error(`${text}: its model has it, and it is ${state}`);
  }).catch((error: Error) => round.untrue.push(error.message));
}

const isSettled = ({ state }: AskView) => ["settled", "delivered"].includes(state);
