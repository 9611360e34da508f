import { deciderName } from "../../../../core/ask/answer/agreement.ts";
import { ParleyError } from "../../../../core/error.ts";
import { shortId } from "../../../../core/id.ts";
import { deciderTitle } from "../../../../core/autopilot/trust/stage.ts";
import { safeLine } from "../../../../core/text/text.ts";
import { describeAnswers } from "../../../../core/words/outcome/describe-answer.ts";
import { counted } from "../../../../core/words/number.ts";
import { clock } from "../../../../core/words/time.ts";
import { deciderWords } from "../../../../core/words/trust-words.ts";
import type { Digest } from "../../../../protocol/trust.ts";
import type { AskView } from "../../../../protocol/view.ts";
import { countIn } from "../../../terminal/counting.ts";
import { hang } from "../../../terminal/columns.ts";
import { questionLines } from "../../../terminal/question.ts";
import type { Page } from "../../../terminal/terminal.ts";
import { defineCommand, type Entry } from "../../command-line/define.ts";
import { findAsk } from "../../find-ask.ts";
import type { Context } from "../../context.ts";
import { jsonLine } from "../../json.ts";
import { correct, review } from "../../answering/review-answer.ts";

const KEYS = `  a            agree: that is what you would have answered
  c 2          correct it: option 2; c = words for your own words
  w            withdraw the trust it rests on
  Enter        next             q         stop here`;

export const command = defineCommand({
  about: `What was answered in your place in the last twelve hours, by project: by whom and how that was earned, what was only suggested, left to you, received otherwise or taken back. In a terminal it asks about each answer:\n\n${KEYS}`,
  options: {
    hours: { value: "N", description: "of the last N hours (12)" },
    project: { value: "P", description: "only this project" },
  },
  subcommands: [
    saying("agree", "that is what you would have answered; it counts for the trust"),
    saying("withdraw", "trust what it rests on no more"),
    {
      name: "correct",
      summary: "what the answer is; its agent is told, if it still can be",
      load: async () => ({ command: correctCommand }),
    },
  ],
  async run({ hours = "12", project, json }, context) {
    const { client, terminal } = context;
    const since = Date.now() - countIn("--hours", hours, [1, 8760]) * 3_600_000;
    const found = await client.call("digest", { query: { since } });
    const projects = found.projects.filter((each) => project === undefined || each.project === project);
    if (json) return (terminal.out(jsonLine({ ...found, projects })), 0);
    terminal.out(digestLines({ ...found, projects }, terminal));
    if (!terminal.ask || !terminal.isTty) return 0;
    const unseen = projects.flatMap(({ answered }) => answered).filter(({ reviews = [] }) => reviews.length === 0);
    for (const [i, ask] of unseen.entries()) {
      terminal.out(
        `\n${shortId(ask.id)}  ${i + 1} of ${unseen.length}\n${questionLines(ask, terminal).flat().join("\n")}\n`,
      );
      terminal.out(`${answeredLines(ask, terminal).join("\n")}\n`);
      if ((await askOne(ask, context)) === "stop") return 0;
    }
    return 0;
  },
});

function saying(name: "agree" | "withdraw", summary: string): Entry {
  const made = defineCommand({
    about: `${summary[0]?.toUpperCase()}${summary.slice(1)}.`,
    positionals: { id: {} },
    run: ({ id, json }, context) => review(id, name, json, context),
  });
  return { name, summary, load: async () => ({ command: made }) };
}

const correctCommand = defineCommand({
  about:
    "Says what the answer is, in the place of one that was given for you: its number, or = and your own words. Its agent is told if it waits; the trust begins anew.",
  positionals: { id: {}, answer: { repeatable: true } },
  async run({ id, answer, json }, context) {
    return correct(await findAsk(context.client, id), answer, json, context);
  },
});

/** Asks until the words mean something. */
async function askOne(ask: AskView, context: Context): Promise<"next" | "stop"> {
  const { terminal } = context;
  for (;;) {
    const typed = ((await terminal.ask?.("Agree? (a, c, w, Enter, q; ? for help): ")) ?? "q").trim();
    if (typed === "") return "next";
    if (typed === "q") return "stop";
    const [key = "", ...rest] = typed.split(/\s+/);
    try {
      if (key === "a") await review(ask.id, "agree", false, context);
      else if (key === "w") await review(ask.id, "withdraw", false, context);
      else if (key === "c" && rest.length > 0) await correct(ask, rest, false, context);
      else throw new ParleyError("usage", KEYS);
      return "next";
    } catch (error) {
      if (!(error instanceof ParleyError)) throw error;
      terminal.out(`${error.message.trimEnd()}\n`);
    }
  }
}

function digestLines({ since, projects, savedMs }: Digest, page: Page): string {
  const from = `Since ${clock(since).slice(0, 16)}`;
  if (projects.length === 0) return `${from}: the autopilot had nothing to do.\n`;
  const blocks = projects.map(({ project, answered, suggested, left, mismatched, undone }) =>
    [
      page.style.bold(safeLine(project, { max: 80 })),
      ...part("answered", answered, (ask) => answeredLines(ask, page), page),
      ...part("received otherwise: parley decisions --mismatched", mismatched, (ask) => answeredLines(ask, page), page),
      ...part("suggested, and waiting for you", suggested, () => [], page),
      ...part("left to you", left, (ask) => hang("        ", reason(ask), page.width, page.style.dim), page),
      ...part("taken back by you", undone, () => [], page),
    ].join("\n"),
  );
  const count = projects.reduce((sum, { answered }) => sum + answered.length, 0);
  const saved = `${counted(Math.round(savedMs / 60_000), "minute")} of waiting saved`;
  return `${from}: ${counted(count, "answer")} in your place, ${saved}\n\n${blocks.join("\n\n")}\n`;
}

function part(
  name: string,
  asks: readonly AskView[],
  more: (ask: AskView) => string[],
  { width, style }: Page,
): string[] {
  if (asks.length === 0) return [];
  const rows = asks.flatMap((ask) => [
    ...hang(`${style.bold(shortId(ask.id))}  `, safeLine(ask.questions[0]?.text ?? "", { max: 200 }), width),
    ...more(ask),
  ]);
  return [`${asks.length} ${name}`, ...rows];
}

const reason = ({ autopilot }: AskView) => safeLine(autopilot?.why ?? "", { max: 200 });

/** What went out, by whom, and how that was earned. */
function answeredLines({ questions, outcome, autopilot, reviews = [] }: AskView, { width, style }: Page): string[] {
  if (!outcome) return [];
  const said = outcome.answers ? describeAnswers(questions, outcome.answers) : (outcome.message ?? outcome.type);
  const who = deciderName(outcome.actor);
  const opinion = autopilot?.opinions?.find(
    ({ decider }) => `rule ${deciderTitle(decider)}` === who || deciderTitle(decider) === who,
  );
  const earned = opinion ? `; ${opinion.why}` : "; your own rule says so";
  const seen = reviews.length === 0 ? "" : ` (${reviews.at(-1)?.verdict ?? ""} by you)`;
  return hang(
    "        ",
    safeLine(`"${said}" by ${deciderWords(who)}${earned}${seen}`, { max: 400 }),
    width,
    style.dim,
  );
}
