import { SHAPES, type Shape } from "../test/agents/keys-shapes.ts";
import { intentOf, openKeysStage, stored } from "../test/agents/keys-stage.ts";
import { openStage } from "../test/agents/stage.ts";
import { median, ms, type Part, type Row } from "./row.ts";

const VERSION = "2.1.325";
const ROUNDS = 5;
const WHAT = ["lone single-select, last", "multi-select with own words", "four questions of four options"];

/** From the decision to the tool result at the model: by keys beside the waiting hook, with the real agent. */
export const keys: Part = {
  name: "keys",
  about: "how long an answer takes to the real agent: typed into its dialog, and through its hook",
  notes: [
    `Keys: Claude Code ${VERSION} in tmux with a scripted model; from the decision to the tool result at the model, median of ${ROUNDS}. A part of the time by keys is waiting on purpose: each page must stand still for 400 ms, and the screen for 200 ms before Enter.`,
  ],
  async run(say) {
    const rows: Row[] = [];
    for (const name of WHAT) {
      const shape = SHAPES[name];
      if (!shape) throw new Error(`there is no shape ${name}`);
      say(name);
      const [typed, presses] = await byKeys(shape);
      rows.push({
        what: `answer to Claude Code by keys, ${name}`,
        measured: `${ms(median(typed))}, ${presses} keys`,
        beside: `by its hook: ${ms(median(await byHook(shape)))}`,
      });
    }
    return rows;
  },
};

async function byKeys(shape: Shape): Promise<[times: number[], keys: number]> {
  await using stage = await openKeysStage(VERSION, shape.size);
  const times: number[] = [];
  let keysSent = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const [id = ""] = await stage.asks(shape.questions);
    const start = performance.now();
    const sending = stage.answer({ questions: stored(shape.questions), intent: intentOf(shape) });
    await stage.model.waitForToolResult(id);
    times.push(performance.now() - start);
    const result = await sending;
    if (result.type === "stopped") throw new Error(result.where);
    keysSent = result.keys;
  }
  return [times, keysSent];
}

async function byHook({ questions, answers }: Shape): Promise<number[]> {
  await using stage = await openStage({ version: VERSION });
  const client = stage.program.client("human");
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { id, version } = await stage.asks([...questions], `round${round}`);
    const start = performance.now();
    await client.call("settleAsk", {
      id,
      body: { action: "answer", answers: [...(answers ?? [])], version, surface: "cli" },
    });
    await stage.received(`round${round}`);
    times.push(performance.now() - start);
    await stage.claude.tmux.waitFor((screen) => screen.includes("DONE."));
  }
  return times;
}
