import { parseArgs } from "node:util";
import { sessionAround } from "../../../agents/agents.ts";
import { duration } from "../../../core/words/time.ts";
import { ParleyError } from "../../../core/error.ts";
import { safeLine } from "../../../core/text/text.ts";
import type { AutopilotStatus } from "../../../protocol/autopilot.ts";
import { statsTable } from "./autopilot-stats.ts";
import { trust } from "./autopilot-trust.ts";
import { summary, triedLines } from "./autopilot-test.ts";
import { counted } from "../../../core/words/number.ts";
import { countIn } from "../../terminal/counting.ts";
import { jsonLine } from "../json.ts";
import type { Command, Context } from "../run.ts";

const HELP = `Usage: parley autopilot [status|test|stats|pause|resume|trust] [--json]

Answers in your place, where you switched it on (docs/autopilot.md).

  status              what it may do here, and what it is doing
  test                your rules against the newest 200 questions: which fires,
                      and whether you answered the same; nothing is answered
  test <id>           one question: every step, and why
      --limit N --project P --differs   fewer; of one project; disagreements
  stats               how often you did what each rule and brain proposed
  pause [--session S] nothing goes out any more, at once and after a restart
  resume [--session S]
  trust [folder]      show a project's .parley.toml and let its rules act, until
                      it changes; --yes: without asking · --remove: no more

See also: parley explain <id> · parley undo <id> · parley accept <id>
`;

export const autopilot: Command = async (args, context) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      session: { type: "string" },
      limit: { type: "string" },
      project: { type: "string" },
      differs: { type: "boolean" },
      yes: { type: "boolean" },
      remove: { type: "boolean" },
      json: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  const { terminal, client } = context;
  if (values.help) return (terminal.out(HELP), 0);
  const [action = "status", ...rest] = positionals;
  if (rest.length > (action === "test" || action === "trust" ? 1 : 0))
    throw new ParleyError("usage", `Too many words: parley autopilot ${safeLine(action, { max: 20 })}`);
  switch (action) {
    case "status":
      return status(context, values.json);
    case "pause":
    case "resume":
      return pause(context, action === "pause", values.session, values.json);
    case "trust":
      return trust({ ...values, folder: rest[0] }, context);
    case "stats": {
      const found = await client.call("autopilotStats");
      terminal.out(values.json ? jsonLine(found) : statsTable(found.stats, terminal));
      return 0;
    }
    case "test": {
      const limit = values.limit === undefined ? undefined : countIn("--limit", values.limit, [1, 2000]);
      const [ask] = rest;
      const body = {
        ...(ask !== undefined && { ask }),
        ...(limit !== undefined && { limit }),
        ...(values.project !== undefined && { project: values.project }),
      };
      const found = await client.call("autopilotTest", { body });
      if (values.json) return (terminal.out(jsonLine(found)), 0);
      const shown = values.differs ? found.asks.filter(({ agreement }) => agreement === "differed") : found.asks;
      terminal.out(triedLines(shown, { ...terminal, isWhole: ask !== undefined }));
      if (ask === undefined) terminal.out(summary(found.asks));
      return 0;
    }
    default:
      throw new ParleyError(
        "usage",
        `There is no "autopilot ${safeLine(action, { max: 40 })}". See: parley autopilot --help`,
      );
  }
};

async function pause({ client, terminal }: Context, paused: boolean, session: string | undefined, json = false) {
  const inside = sessionAround(terminal.env);
  const found = await client.call("autopilotPause", {
    body: { paused, ...(session !== undefined && { session }), ...(inside !== undefined && { inside }) },
  });
  if (json) return (terminal.out(jsonLine(found)), 0);
  const what =
    session === undefined ? "The autopilot" : `The autopilot for session ${found.session?.slice(0, 8) ?? ""}`;
  const still = !paused && session !== undefined && found.all !== undefined ? "; it is still paused as a whole" : "";
  terminal.out(`✓ ${what} ${paused ? "is paused: nothing goes out" : "goes on"}${still}\n`);
  return 0;
}

async function status({ client, terminal }: Context, json = false): Promise<number> {
  const found = await client.call("autopilot", { query: { cwd: terminal.cwd } });
  terminal.out(json ? jsonLine(found) : statusLines(found, Date.now()));
  return 0;
}

function statusLines(found: AutopilotStatus, now: number): string {
  const { here, projects, budget, quiet, paused, asks, escalation, brains } = found;
  const sessions = Object.keys(paused.sessions);
  const limit = (n: number) => (n === 0 ? "no limit" : String(n));
  const facts: [string, string][] = [
    ["Mode", found.mode],
    [
      "Projects",
      Object.entries(projects)
        .map(([name, mode]) => `${name} ${mode}`)
        .join(" · "),
    ],
    ["Here", `${here.mode} · ${counted(here.rules, "rule")}${theirRules(here)}`],
    ["Project", here.notice ?? ""],
    [
      "Brains",
      brains.map((name) => (name === found.brain ? `${name} (asked where no rule decides)` : name)).join(" · "),
    ],
    ["Undo", `${found.undoSeconds} s`],
    ["Quiet", quiet.hours === "" ? "" : `${quiet.hours}${quiet.now ? " (now: it only suggests)" : ""}`],
    ["Budget", `${budget.lastHour} of ${limit(budget.perHour)} in this hour · ${limit(budget.perSession)} a session`],
    [
      "Nobody answers",
      escalation.afterSeconds === 0 ? "" : `${escalation.policy} after ${duration(escalation.afterSeconds * 1000)}`,
    ],
    ["Now", `${asks.held} held · ${asks.asking} with a brain · ${asks.suggested} proposed`],
    ["Paused", paused.all === undefined ? "" : `for ${duration(now - paused.all)} (parley autopilot resume)`],
    ["Paused sessions", sessions.map((id) => id.slice(0, 8)).join(" · ")],
  ];
  return facts
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${`${name}:`.padEnd(17)}${safeLine(value, { max: 300 })}\n`)
    .join("");
}

function theirRules({ projectRules, trusted }: AutopilotStatus["here"]): string {
  if (projectRules === 0) return "";
  return ` · ${counted(projectRules, "rule")} of its own file, ${trusted ? "trusted" : "not trusted"}`;
}
