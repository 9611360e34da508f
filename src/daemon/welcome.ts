import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Agent } from "../agents/agent.ts";
import { AGENTS, agentNamed } from "../agents/agents.ts";
import type { Ask } from "../core/ask.ts";
import { ParleyError } from "../core/error.ts";
import type { Option, Question } from "../core/question.ts";
import { unifiedDiff } from "../core/unified-diff.ts";
import { readExact, replaceFile } from "../machine/atomic-file.ts";
import { ACTIVE, type Store } from "../store/store.ts";
import type { Inbox } from "./inbox.ts";
import { createSerial } from "../machine/serial.ts";

/** `cwd` is Parley's home. */
type Deps = { store: Store; inbox: Inbox; program: string; env: Record<string, string | undefined>; cwd: string };
const WHICH_AGENTS = "welcome";
const INSTALL = "install ";
const NONE = "None yet";
const option = (label: string, description: string, more: Partial<Option> = {}): Option => ({
  label,
  description,
  recommended: false,
  ...more,
});

/** Parley's own questions: whom to listen to, then the change of each agent's settings. It acts on the answers itself. */
export function createWelcome({ store, inbox, program, env, cwd }: Deps) {
  const serial = createSerial();
  /** Beside the database, not in it: the question itself is pruned one day, and must not come back then. */
  const mark = join(cwd, "welcomed");
  const soon = (id: string) => void serial(WHICH_AGENTS, () => act(id)).catch(() => undefined);
  store.onCommit((events) => {
    for (const { type, ask } of events) if (type === "ask.settled" && ask !== undefined) soon(ask);
  });
  // What was answered when the daemon ended before it could act.
  void store
    .list({ states: ACTIVE, limit: 100_000 })
    .then((asks) => asks.filter(isOwn).forEach(({ id }) => soon(id)))
    .catch(() => undefined);

  /** `once`: a daemon that was killed half-way asks again for the same, and gets what is there. */
  async function ask(match: string, question: Question, once: string): Promise<Ask> {
    const origin = { agent: "parley", project: "parley" };
    const captured = {
      kind: "question" as const,
      questions: [question],
      origin,
      key: "self",
      channel: "self" as const,
    };
    return inbox.once(once, once, (key) => inbox.create({ ...captured, match }, key));
  }

  async function act(id: string): Promise<void> {
    const settled = await store.ask(id);
    if (!settled || settled.state !== "settled" || !isOwn(settled)) return;
    const [question] = settled.questions;
    const picked = (settled.outcome?.answers?.[0]?.picks ?? []).flatMap((pick) => question?.options[pick] ?? []);
    const done = settled.match?.startsWith(INSTALL)
      ? install(settled.match.slice(INSTALL.length), picked)
      : offer(id, picked);
    const event = await done.then(
      (detail) => ({ type: "ask.verified" as const, key: "self", detail }),
      (error: unknown) => ({
        type: "ask.mismatched" as const,
        key: "self",
        detail: error instanceof Error ? error.message : String(error),
      }),
    );
    await inbox.change(id, ({ state }) =>
      state === "settled" ? [{ type: "ask.sent", key: "self", channel: "self" }, event] : [],
    );
  }

  /** One question for each agent, with the exact change as its preview. */
  async function offer(welcome: string, picked: readonly Option[]): Promise<string> {
    const chosen = AGENTS.filter(({ title }) => picked.some(({ label }) => label === title));
    if (chosen.length === 0) return "none yet; later: parley setup";
    const done: string[] = [];
    for (const agent of chosen) {
      const { path, plan } = await planFor(agent);
      done.push(plan.changed ? `asked about ${agent.title}` : `${agent.title} is set up already: ${path}`);
      if (!plan.changed) continue;
      const question = {
        text: `Change ${path} so that ${agent.title} asks through Parley?`,
        header: "Set-up",
        multiSelect: false,
        options: [
          option("Apply", "Write it; a backup is kept beside it", { preview: unifiedDiff(plan, path).join("\n") }),
          option("Skip", "Leave it; later: parley setup"),
        ],
      };
      await ask(`${INSTALL}${agent.name}`, question, `${INSTALL}${agent.name} ${welcome}`);
    }
    return done.join("; ");
  }

  /** Contract: what is written is what the person saw. */
  async function install(name: string, picked: readonly Option[]): Promise<string> {
    const agent = agentNamed(name);
    const apply = picked.find(({ label }) => label === "Apply");
    if (!agent || !apply) return "skipped; later: parley setup";
    const { path, plan } = await planFor(agent);
    if (!plan.changed) return `was set up already: ${path}`;
    if (unifiedDiff(plan, path).join("\n") !== apply.preview)
      throw new ParleyError(
        "settings",
        `${path} was changed since the change was shown; it was left as it is. See it anew: parley setup ${name}`,
      );
    const backup = await replaceFile(path, plan.before, plan.after);
    return `wrote ${path}${backup === undefined ? "" : `, backup ${backup}`}`;
  }

  async function planFor({ install: { settingsPath, plan } }: Agent) {
    const path = settingsPath({ env, cwd });
    return { path, plan: plan({ text: await readExact(path), program, hold: false, remove: false, file: path }) };
  }

  /** Asks once in the life of a home. */
  async function askOnce(): Promise<void> {
    if (existsSync(mark)) return;
    const found = AGENTS.filter(
      ({ install: { program: name } }) => Bun.which(name, { PATH: env["PATH"] ?? "" }) !== null,
    );
    const question = {
      text: "Which agents should Parley listen to?",
      header: "Agents",
      multiSelect: true,
      options: [
        ...found.map(({ title, install: { program: name } }) => option(title, `found as ${name}`)),
        option(NONE, "Later: parley setup"),
      ],
    };
    await ask(WHICH_AGENTS, question, WHICH_AGENTS);
    writeFileSync(mark, "", { mode: 0o600 });
  }

  return (): Promise<void> => serial(WHICH_AGENTS, askOnce);
}

const isOwn = ({ deliveries }: Ask) => deliveries.some(({ channel }) => channel === "self");
