import { createClient } from "../../../src/client/client.ts";
import { question } from "../../e2e/api-request.ts";
import { createProgram, type Program } from "../../e2e/program.ts";
import { eventually } from "../../patience.ts";
import { labelOf } from "../truth.ts";
import { type Area, isWrong, killed, lostBy, nothing } from "./area.ts";
import { remainsOf, type Said } from "./remains.ts";
import { isUp, strikeDaemon, whenUp } from "./strike.ts";

/** A played service, paired with somebody. */
export type Chat = {
  /** Called before each call to the service; the reply says that it does not do it. */
  whenCalled(look: () => Promise<"cut-before" | undefined>): void;
  /** How many messages with this text can be pressed. */
  open(text: string): number;
  /** `no`: nobody heard it, it is pressed again. `told`: whoever pressed was told that it counts. `kept`: it will, sooner or later. */
  press(text: string, label: string): Promise<"no" | "kept" | "told">;
  close(): Promise<void>;
};

const [LANES, QUESTIONS, FEW, SHARE, AFTER] = [3, 6, 2, 0.3, 0.25];
const LABEL = "PostgreSQL";

/** Questions that are answered in a played messenger, while the daemon dies in the middle of its calls and when it said yes. */
export const chatArea = (name: string, share: number, open: (program: Program) => Promise<Chat>): Area => ({
  name,
  share,
  async play(random, _seed, { command, isSmall } = {}) {
    const round = nothing();
    const program = createProgram(command);
    let chat: Chat | undefined;
    const said: Said[] = [];
    try {
      const opened = (chat = await open(program));
      const person = createClient(program.paths, { wakes: false });
      const agent = createClient(program.paths, { as: "agent", wakes: false });
      const most = LANES * (isSmall ? FEW : 2 * QUESTIONS);
      let [times, isStriking] = [0, false];
      const strike = async () => {
        if (isStriking || times >= most || !strikeDaemon(program)) return false;
        isStriking = true;
        times++;
        killed(round, "daemon");
        // Whoever called is dead before it is done, or not done.
        await program.kill9().finally(() => (isStriking = false));
        return true;
      };
      opened.whenCalled(async () => {
        const isCut = random() < 0.5;
        return random() < SHARE && (await strike()) && isCut ? "cut-before" : undefined;
      });
      const one = async (text: string) => {
        const body = { questions: [{ ...question(), question: text }], origin: { project: "shop" } };
        const idempotencyKey = crypto.randomUUID();
        const { id } = await whenUp(program, () => agent.call("createAsk", { body, idempotencyKey }));
        round.asks++;
        const look = () => person.call("getAsk", { id });
        if (random() < AFTER) await strike();
        if (!(await whenUp(program, look).catch(lostBy(round)))) return;
        const heard = await eventually(async () => {
          await isUp(program);
          // Who pressed and heard nothing sees it go all the same.
          if (opened.open(text) === 0 && (await look()).outcome) return "kept";
          if (opened.open(text) === 0) throw new Error(`${text} cannot be pressed`);
          const how = await opened.press(text, LABEL);
          if (how === "no") throw new Error(`${text} was pressed, and nobody heard it`);
          return how;
        });
        round.answers++;
        if (heard === "told" && random() < 0.5) await strike();
        const outcomeNow = async () => {
          const ask = await whenUp(program, look);
          const { outcome } = ask;
          if (!outcome) throw new Error(`${text} was pressed, and is ${ask.state}`);
          if (labelOf(ask, outcome) !== LABEL) round.untrue.push(`${text}: ${JSON.stringify(outcome)}`);
          said.push({ id, label: LABEL });
        };
        // Who was told that it counts need not wait for it.
        const counts = heard === "told" ? outcomeNow() : eventually(outcomeNow);
        await counts.catch(lostBy(round));
        if (isWrong(round)) return;
        // A message whose sending was cut may be there twice; none of them can be pressed any more.
        await eventually(async () => {
          await isUp(program);
          if (opened.open(text) > 0) throw new Error(`${text} can still be pressed`);
        }).catch((error: Error) => round.untrue.push(error.message));
      };
      const lane = async (which: number) => {
        for (let i = 0; i < (isSmall ? FEW : QUESTIONS) && !isWrong(round); i++)
          await one(`Question ${which}.${i} of ${crypto.randomUUID().slice(0, 8)}?`);
      };
      await Promise.all(Array.from({ length: LANES }, (_, which) => lane(which)));
      opened.whenCalled(async () => undefined);
      await remainsOf(program, said, round);
      return round;
    } finally {
      chat?.whenCalled(async () => undefined);
      await program.dispose();
      await chat?.close();
    }
  },
});
