import { sessionAround } from "../../../../agents/agents.ts";
import { duration } from "../../../../core/words/time.ts";
import { safeLine } from "../../../../core/text/text.ts";
import type { AutopilotStatus } from "../../../../protocol/autopilot.ts";
import { counted } from "../../../../core/words/number.ts";
import { jsonLine } from "../../json.ts";
import { defineCommand, type Entry } from "../../command-line/define.ts";
import type { Context } from "../../context.ts";
import { modeCommands } from "./autopilot-mode.ts";

export const command = defineCommand({
  about: "Answers in your place where you switch it on; alone, it shows the status.",
  subcommands: [
    {
      name: "status",
      summary: "what it may do here, and what it is doing",
      load: async () => ({ command: statusCommand }),
    },
    {
      name: "test",
      summary: "your rules against earlier questions; nothing is answered",
      load: () => import("./autopilot-test.ts"),
    },
    {
      name: "stats",
      summary: "how often you did what each rule and brain proposed",
      load: () => import("./autopilot-stats.ts"),
    },
    {
      name: "judge",
      summary: "what the gate says of questions in a file",
      load: () => import("./autopilot-judge.ts"),
    },
    {
      name: "allow",
      summary: "what it risks to let one answer be given, and the rule for it",
      load: () => import("./autopilot-allow.ts"),
    },
    ...modeCommands,
    pausing("pause", "send nothing from now on, also after a restart"),
    pausing("resume", "resume after a pause"),
    {
      name: "replay",
      summary: "what it would have answered of all you did, and how well",
      load: () => import("./autopilot-replay.ts"),
    },
    {
      name: "trust",
      summary: "what has earned your trust, and how; withdraw it",
      load: () => import("./autopilot-trust.ts"),
    },
  ],
  notes: "See also: parley explain <id> · parley undo <id> · parley accept <id>",
  run: status,
});

const statusCommand = defineCommand({ about: "What it may do here, and what it is doing.", run: status });

function pausing(name: "pause" | "resume", summary: string): Entry {
  const made = defineCommand({
    about: `${summary[0]?.toUpperCase()}${summary.slice(1)}.`,
    options: { session: { value: "S", description: "only for this session" } },
    run: ({ session, json }, context) => pause(context, name === "pause", session, json),
  });
  return { name, summary, load: async () => ({ command: made }) };
}

async function pause({ client, terminal }: Context, paused: boolean, session: string | undefined, json: boolean) {
  const inside = sessionAround(terminal.env);
  const found = await client.call("autopilotPause", {
    body: { paused, ...(session !== undefined && { session }), ...(inside !== undefined && { inside }) },
  });
  if (json) return (terminal.out(jsonLine(found)), 0);
  const what = session === undefined ? "Autopilot" : `Autopilot for session ${found.session?.slice(0, 8) ?? ""}`;
  const still = !paused && session !== undefined && found.all !== undefined ? "; it is still paused as a whole" : "";
  terminal.out(`✓ ${what} ${paused ? "paused: nothing goes out" : "resumed"}${still}\n`);
  return 0;
}

async function status({ json }: { json: boolean }, { client, terminal }: Context): Promise<number> {
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
    ["Trust", trustTerms(found.trust)],
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

function trustTerms({ perQuestion, perRule, askEvery, days }: AutopilotStatus["trust"]): string {
  const after = (count: number) => (count === 0 ? "nothing to earn" : `after ${count}`);
  return `${after(perQuestion)} for a question, ${after(perRule)} for a rule; 1 in ${askEvery} asked; ends after ${days} days unused`;
}

function theirRules({ projectRules, trusted }: AutopilotStatus["here"]): string {
  if (projectRules === 0) return "";
  return ` · ${counted(projectRules, "rule")} of its own file, ${trusted ? "trusted" : "not trusted"}`;
}
