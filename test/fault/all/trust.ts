import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "../../../src/client/client.ts";
import { ParleyError } from "../../../src/core/error.ts";
import { deciderTitle, PRECEDENT } from "../../../src/core/autopilot/trust/stage.ts";
import { openSqlite } from "../../../src/store/sqlite/open.ts";
import type { AskView } from "../../../src/protocol/view.ts";
import { createProgram, type Program } from "../../e2e/program.ts";
import { eventually } from "../../patience.ts";
import { labelOf } from "../truth.ts";
import { type Area, isWrong, killed, lostBy, nothing, type Round } from "./area.ts";
import { remainsOf, type Said } from "./remains.ts";
import { strikeAt, strikeDaemon, whenUp } from "./strike.ts";

const CONFIG = `[autopilot]\nmode = "on"\nundo_seconds = 1\ntrust = { per_question = 2, ask_every = 4 }\n[notify]\nenabled = false\n`;
const LABELS = ["More questions", "Next area"];
const WANTED = "Next area";
const TOPICS = ["the cart", "how names are shown", "search", "the layout", "sorting", "colours", "the list"];
const [PROJECTS, QUESTIONS, FEW, SHARE, AFTER] = [4, 9, 3, 0.2, 0.3];
const EVENTS = new Set(["ask.captured", "ask.autopilot", "ask.settled"]);
/** What the ledger must hold of a question, by who answered it. */
type Mark = "answered" | "sent" | "undone";
type Told = { id: string; project: string; mark: Mark };

/**
 * Trust is earned and used in several projects: the autopilot watches, suggests, answers after its undo window; a person answers,
 * takes back, and is asked in between. The daemon dies at any event of it and when it said yes.
 */
export const trust: Area = {
  name: "autopilot, trust and undo",
  share: 8,
  async play(random, _seed, { command, isSmall } = {}) {
    const round = nothing();
    const program = createProgram(command);
    const folder = join(program.user, ".config/parley");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "config.toml"), CONFIG);
    const over = new AbortController();
    const [client, agent] = [
      createClient(program.paths, { wakes: false }),
      createClient(program.paths, { as: "agent", wakes: false }),
    ];
    const strike = () => {
      if (strikeDaemon(program)) killed(round, "daemon");
    };
    const said: Said[] = [];
    const told: Told[] = [];
    try {
      await program.start();
      const wanted = ({ type }: { type: string }) => EVENTS.has(type) && random() < SHARE;
      const struck = { round, signal: over.signal, most: Number.POSITIVE_INFINITY };
      const striking = strikeAt({ paths: program.paths, events: client.events }, wanted, struck);
      const look = (id: string) => whenUp(program, () => client.call("getAsk", { id }));
      const becomes = (id: string, is: (ask: AskView) => boolean) =>
        eventually(async () => {
          const ask = await look(id);
          if (!is(ask)) throw new Error(`it stays ${JSON.stringify(ask)}`);
          return ask;
        });
      const one = async (project: string, i: number) => {
        const text = `More questions about ${TOPICS[i % TOPICS.length]}, or should we continue?`;
        const options = LABELS.map((label) => ({ label, description: `What ${label} means` }));
        const questions = [{ question: text, header: "Next", multiSelect: false, options }];
        const body = { questions, origin: { agent: "script", project, session: `${project} ${i % 3}` } };
        const idempotencyKey = crypto.randomUUID();
        const { id } = await whenUp(program, () => agent.call("createAsk", { body, idempotencyKey }));
        round.asks++;
        if (random() < AFTER) strike();
        if (!(await look(id).catch(lostBy(round)))) return;
        const seen = await becomes(id, ({ outcome, autopilot }) => outcome !== undefined || isLooked(autopilot?.state));
        const isUndone = seen.autopilot?.state === "held" && random() < 0.5 && (await takesBack(id));
        if (seen.autopilot?.state === "held" && !isUndone) {
          const { outcome } = await becomes(id, (ask) => ask.outcome !== undefined);
          if (outcome?.actor.name !== PRECEDENT)
            round.untrue.push(`${id}: held, and settled by ${outcome?.actor.name}`);
          return void told.push({ id, project, mark: "sent" });
        }
        if (!seen.outcome) await answers(id, isUndone ? "undone" : "answered", project);
        else told.push({ id, project, mark: "sent" });
      };
      const answers = async (id: string, mark: Mark, project: string) => {
        const [body, idempotencyKey] = [{ action: "answer" as const, answers: [{ picks: [1] }] }, crypto.randomUUID()];
        await whenUp(program, () => client.call("settleAsk", { id, body, idempotencyKey }));
        round.answers++;
        said.push({ id, label: WANTED });
        told.push({ id, project, mark });
        if (random() < AFTER) strike();
        const { state, outcome } = await look(id);
        if (!outcome) round.lost.push(`${id} was answered, and is ${state}`);
        else if (outcome.actor.type !== "person")
          round.untrue.push(`${id}: ${mark}, and settled by a ${outcome.actor.type}`);
      };
      /** Whether a person was told that it is taken back: then nobody but them may answer it. */
      const takesBack = async (id: string) => {
        const idempotencyKey = crypto.randomUUID();
        const isBack = await whenUp(program, () =>
          client.call("undoAutopilot", { id, body: {}, idempotencyKey }).then(() => true, isLate),
        );
        if (isBack && random() < 0.5) strike();
        if (isBack && (await look(id)).autopilot?.state !== "undone")
          round.lost.push(`${id} was taken back, and is ${JSON.stringify(await look(id))}`);
        return isBack;
      };
      const lane = async (project: string) => {
        for (let i = 0; i < (isSmall ? FEW : QUESTIONS) && !isWrong(round); i++) await one(project, i);
      };
      await Promise.all(Array.from({ length: PROJECTS }, (_, i) => lane(`project-${i}`)));
      over.abort();
      await striking;
      const { asks, events } = await remainsOf(program, said, round);
      for (const ask of asks) {
        const { id, outcome } = ask;
        const due = Number(events.findLast((each) => each.ask === id && each.data["state"] === "held")?.data["due"]);
        if (outcome && outcome.actor.type !== "person" && outcome.at < due)
          round.untrue.push(`${id} before it was due`);
        if (outcome && labelOf(ask, outcome) !== WANTED) round.untrue.push(`${id}: ${JSON.stringify(outcome)}`);
      }
      if (!isWrong(round)) await examineLedger(program, told, round);
      return round;
    } finally {
      over.abort();
      await program.dispose();
    }
  },
};

const isLooked = (state = "") => ["human", "suggested", "held", "undone"].includes(state);

/** Its window was over: it is answered. */
function isLate(error: unknown): false {
  if (error instanceof ParleyError && error.code !== "daemon_unreachable") return false;
  throw error;
}

/** Each question has one mark in the ledger of its project, of what became of it, and of no other. */
async function examineLedger(program: Program, told: readonly Told[], round: Round): Promise<void> {
  const store = openSqlite(program.paths.database);
  try {
    const rows = (await store.trusted(500)).filter(({ decider }) => deciderTitle(decider) === deciderTitle(PRECEDENT));
    const all = (await Promise.all(rows.map(async (row) => ({ row, marks: await store.marks(row, 200) })))).flatMap(
      ({ row, marks }) => marks.map((mark) => ({ ...mark, project: row.project })),
    );
    for (const { id, project, mark } of told) {
      const marks = all.filter(({ ask }) => ask === id);
      if (marks.length > 1) round.doubled.push(`${id}: ${marks.length} marks of trust`);
      if (marks.length === 0) round.lost.push(`${id}: ${mark}, and the ledger of trust has nothing of it`);
      for (const each of marks)
        if (each.result !== mark || each.project !== project)
          round.untrue.push(`${id}: ${mark} in ${project}, and the ledger has ${each.result} in ${each.project}`);
    }
    if (all.length > told.length) round.untrue.push(`${all.length} marks of trust for ${told.length} questions`);
  } finally {
    await store.close();
  }
}
