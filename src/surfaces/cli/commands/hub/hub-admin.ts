import { existsSync } from "node:fs";
import { join } from "node:path";
import { ParleyError } from "../../../../core/error.ts";
import { calledAs } from "../../../../core/hub-called.ts";
import { projectName } from "../../../../core/hub-names.ts";
import { safeLine } from "../../../../core/text/text.ts";
import { forWords } from "../../../../core/words/hub-words.ts";
import { ageOf, clock } from "../../../../core/words/time.ts";
import { tokenOwner, tokenScope, tokenTime } from "../../../../core/words/token-words.ts";
import { timeSpan } from "../../../terminal/time-span.ts";
import { defineCommand } from "../../command-line/define.ts";
import type { Context, HubAdmin, HubPlace } from "../../context.ts";
import { refuseAgents } from "../../guard.ts";
import { hubPlace, PLACE_NOTES, PLACE_OPTIONS } from "../../hub-place.ts";
import { jsonLine } from "../../json.ts";

export const ROLES = ["viewer", "answerer", "approver", "admin"] as const;
export type Given = Parameters<typeof hubPlace>[0];

/** On the hub's own machine, with its own database. `looks`: only at one that is there; a folder that was mistyped is none. */
export async function withAdmin<T>(
  given: Given,
  context: Context,
  work: (admin: HubAdmin) => Promise<T>,
  { looks = false } = {},
): Promise<T> {
  const place: HubPlace = await hubPlace(given, context);
  await refuseAgents("hub", context);
  if (looks && "data" in place && !existsSync(join(place.data, "hub.db")))
    throw new ParleyError(
      "not_found",
      `There is no hub in ${safeLine(place.data, { max: 200 })}: name its folder with --data, or its --database`,
    );
  return (await context.hubs()).withHub(place, work);
}

export const code = defineCommand({
  about: "A code with which one machine joins this hub, once. It is shown now and kept nowhere.",
  options: { ...PLACE_OPTIONS, ttl: { value: "D", default: "15m", description: "how long it works (15m)" } },
  notes: PLACE_NOTES,
  async run(values, context) {
    const made = await withAdmin(values, context, (admin) => admin.code(timeSpan(values.ttl, "--ttl")));
    const words = `${made.code}\n\nOn the machine: parley join <address of this hub> --code ${made.code} --project <folder>\nIt works once, until ${clock(made.expiresAt)}.\n`;
    context.terminal.out(values.json ? jsonLine(made) : words);
    return 0;
  },
});

export const token = defineCommand({
  usage: ["--member NAME --role ROLE [options]", "--machine NAME --project P… [options]"],
  about:
    "A token with which a person sees and answers what is asked, or with which the machines of CI jobs ask: see PARLEY_HUB_MACHINE_TOKEN in docs/ci.md. It is shown now and kept nowhere.",
  options: {
    ...PLACE_OPTIONS,
    member: { value: "NAME", description: "whose it is; a name that nobody has now is a new member" },
    role: {
      value: "ROLE",
      of: ROLES,
      description: "viewer, answerer (questions), approver (approvals and plans too) or admin",
    },
    machine: { value: "NAME", description: "for machines that come and go, such as those of jobs" },
    project: { value: "P", repeatable: true, description: "only of this project, by the name that ls shows" },
    ttl: { value: "D", description: "how long it works; else until it is revoked" },
  },
  notes: PLACE_NOTES,
  async run(values, context) {
    const { member = "", role = "", machine, ttl } = values;
    const projects = values.project.map((each) => projectName(each));
    refuseNoProject(projects);
    if (machine !== undefined) return machineToken(machine, projects, values, context);
    const [project] = projects;
    if (projects.length > 1) throw new ParleyError("usage", "A member's token is for one project, or for all");
    const name = calledAs(member);
    if (name === "") throw new ParleyError("usage", "Whose is it? --member NAME");
    if (!ROLES.some((each) => each === role)) throw new ParleyError("usage", `--role: one of ${ROLES.join(", ")}`);
    const ms = ttl === undefined ? undefined : timeSpan(ttl, "--ttl");
    const made = await withAdmin(values, context, (admin) => admin.token({ member: name, role, project, ms }));
    if (!values.json) sayEarlier(made, context);
    context.terminal.out(values.json ? jsonLine(made) : `${made.token}\n`);
    return 0;
  },
});

/** Beside what was asked for: this is not who had the name before. */
export function sayEarlier({ member, earlier }: { member: string; earlier?: string }, { terminal }: Context): void {
  if (earlier === undefined) return;
  const [name, now] = [safeLine(member, { max: 80 }), safeLine(earlier, { max: 120 })];
  terminal.err(`${name} was revoked here before and is called "${now}" now: this one is somebody new.\n`);
}

/** Left empty, as by a variable that is not set, it must not come to mean all of them. */
export function refuseNoProject(projects: readonly (string | undefined)[]): void {
  if (projects.some((each) => each?.trim() === ""))
    throw new ParleyError("usage", "--project: a name is missing. Without --project it is for all projects");
}

/** Nothing is shared that was not named: without a project it could ask nothing. */
async function machineToken(
  typed: string,
  projects: readonly string[],
  values: Given & { member?: string; role?: string; ttl?: string; json: boolean },
  context: Context,
): Promise<number> {
  const name = calledAs(typed);
  if (values.member !== undefined || values.role !== undefined)
    throw new ParleyError("usage", "A token is a member's or a machine's: a machine has no role");
  if (name === "") throw new ParleyError("usage", "What are they called? --machine NAME");
  if (projects.length === 0 || projects.some((each) => each.startsWith("/")))
    throw new ParleyError("usage", "In which projects may it ask? --project P, by the name that ls shows");
  const ms = values.ttl === undefined ? undefined : timeSpan(values.ttl, "--ttl");
  const made = await withAdmin(values, context, (admin) => admin.machineToken({ name, projects, ms }));
  context.terminal.out(values.json ? jsonLine(made) : `${made.token}\n`);
  return 0;
}

export const machines = defineCommand({
  about: "The machines that have joined this hub, and whether they are connected.",
  options: PLACE_OPTIONS,
  notes: PLACE_NOTES,
  async run(values, context) {
    const found = await withAdmin(values, context, (admin) => admin.machines(), { looks: true });
    if (values.json) return (context.terminal.out(jsonLine({ machines: found })), 0);
    const lines = found
      .filter(({ state }) => state !== "ended")
      .map(({ id, name, state, seenAt, projects }) => {
        const since = state === "offline" ? forWords(seenAt, Date.now()) : "";
        return `${id}  ${safeLine(name)}  ${state}${since}  ${projects.map((each) => safeLine(each)).join(", ")}`;
      });
    context.terminal.out(`${lines.length > 0 ? lines.join("\n") : "None yet. Let one join: parley hub code"}\n`);
    return 0;
  },
});

export const members = defineCommand({
  about: "The people who have a token of this hub or sign in to its page.",
  options: {
    ...PLACE_OPTIONS,
    sessions: { description: "the browsers they are signed in with" },
    tokens: { description: "the tokens that work, of members and of machines" },
  },
  notes: PLACE_NOTES,
  async run(values, context) {
    if (values.sessions && values.tokens) throw new ParleyError("usage", "Choose one: --sessions or --tokens");
    if (values.sessions) return listSessions(values, context);
    if (values.tokens) return listTokens(values, context);
    const found = await withAdmin(values, context, (admin) => admin.members(), { looks: true });
    if (values.json) return (context.terminal.out(jsonLine({ members: found })), 0);
    const lines = found.map(
      ({ id, name, state, roles }) => `${id}  ${safeLine(name)}  ${state}  ${safeLine(roles.join(", "), { max: 200 })}`,
    );
    context.terminal.out(`${lines.length > 0 ? lines.join("\n") : NOBODY}\n`);
    return 0;
  },
});

const NOBODY =
  "Nobody yet. The hub prints the link for its first member when it starts; or: parley hub token --member NAME --role admin";

async function listSessions(values: Given & { json: boolean }, context: Context): Promise<number> {
  const sessions = await withAdmin(values, context, (admin) => admin.sessions(), { looks: true });
  if (values.json) return (context.terminal.out(jsonLine({ sessions })), 0);
  const lines = sessions.map(
    ({ id, memberName, name, seenAt }) =>
      `${id}  ${safeLine(memberName)}  ${safeLine(name)}  seen ${ageOf(seenAt, Date.now())} ago`,
  );
  const none = "Nobody is signed in. Invite somebody: parley hub invite";
  context.terminal.out(`${lines.length > 0 ? `${lines.join("\n")}\nEnd one: parley hub revoke <id>` : none}\n`);
  return 0;
}

async function listTokens(values: Given & { json: boolean }, context: Context): Promise<number> {
  const tokens = await withAdmin(values, context, (admin) => admin.tokens(), { looks: true });
  if (values.json) return (context.terminal.out(jsonLine({ tokens })), 0);
  const lines = tokens.map((each) =>
    [each.id, tokenOwner(each), tokenScope(each), tokenTime(each, Date.now())].join("  "),
  );
  const none = "No token works. Make one: parley hub token";
  context.terminal.out(`${lines.length > 0 ? `${lines.join("\n")}\nEnd one: parley hub revoke <id>` : none}\n`);
  return 0;
}

const REVOKED: Readonly<Record<string, (name: string, id: string) => string>> = {
  token: (name, id) => `${name} token ${id} has ended`,
  browser: (name) => `${name} browser is signed out`,
};

export const revoke = defineCommand({
  about:
    "A machine, or a member with all tokens and browsers, may not connect or answer any more. It cannot be taken back: join again; the name of a member is free for somebody new. A single token ends, a single browser is signed out, and nothing else changes.",
  options: PLACE_OPTIONS,
  positionals: { id: {} },
  needs: "Whom? parley hub revoke <id>; see: parley hub machines, parley hub members, with --tokens or --sessions",
  notes: PLACE_NOTES,
  async run(values, context) {
    const gone = await withAdmin(values, context, (admin) => admin.revoke(values.id), { looks: true });
    const name = safeLine(gone.name);
    const words = REVOKED[gone.what]?.(name, gone.id) ?? `${gone.what} ${name} is revoked`;
    context.terminal.out(values.json ? jsonLine(gone) : `✓ ${words}\n`);
    return 0;
  },
});

export const doctor = defineCommand({
  about: "Looks at what the hub keeps its things in, through the very address it uses. Changes nothing in a database.",
  options: PLACE_OPTIONS,
  notes: `${PLACE_NOTES}\n\nExit codes: 0 no problem · 1 a problem`,
  async run(values, context) {
    const place = await hubPlace(values, context);
    await refuseAgents("hub", context);
    const findings = await (await context.hubs()).examineHub(place);
    const isSound = findings.every(({ level }) => level !== "problem");
    const mark = { ok: "✓", note: "·", problem: "✗" } as const;
    const lines = findings.map(({ check, level, message, fix }) => {
      const how = fix === undefined ? "" : `\n  ${safeLine(fix, { max: 500 })}`;
      return `${mark[level]} ${check}: ${safeLine(message, { max: 500 })}${how}`;
    });
    context.terminal.out(values.json ? jsonLine({ ok: isSound, findings }) : `${lines.join("\n")}\n`);
    return isSound ? 0 : 1;
  },
});
