import { withdraw } from "../../core/receipt/judge.ts";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AGENTS, agentNamed, type Installable, isInstallable } from "../../agents/agents.ts";
import type { Ask } from "../../core/ask/ask.ts";
import type { Effect } from "../../core/ask/effect.ts";
import type { Option, Question } from "../../core/ask/question.ts";
import { eachAsk } from "../../store/each-ask.ts";
import { ACTIVE, type Store } from "../../store/store.ts";
import type { AgentSetup } from "./agent-setup.ts";
import type { Clock, Inbox } from "../../inbox/inbox.ts";
import { createSerial } from "../../machine/time/serial.ts";

/** `cwd` is Parley's home. */
type Deps = { store: Store; inbox: Inbox; setup: AgentSetup; cwd: string; now: Clock };
/** `path`: the PATH of whoever calls, which may be newer than the daemon's. `again`: only look who is there now. */
type Wish = { path?: string | undefined; again?: boolean };
const WHICH_AGENTS = "welcome";
const INSTALL = "install ";
type Choice = { label: string; description: string; effect: Effect; target?: string; preview?: string };
const option = (choice: Choice): Option => ({ recommended: false, ...choice });

/** Parley's own questions: whom to listen to, then the change of each agent's settings. It acts on the answers itself. */
export function createWelcome({ store, inbox, setup, cwd, now }: Deps) {
  const serial = createSerial();
  /** The question whom to listen to, while it is open. */
  let asked: string | undefined;
  /** Beside the database, not in it: the question itself is pruned one day, and must not come back then. */
  const mark = join(cwd, "welcomed");
  const soon = (id: string) => void serial(WHICH_AGENTS, () => act(id)).catch(() => undefined);
  store.onCommit((events) => {
    for (const { type, ask } of events) if (type === "ask.settled" && ask !== undefined) soon(ask);
  });
  // What was answered when the daemon ended before it could act.
  void actOnOld().catch(() => undefined);

  async function actOnOld(): Promise<void> {
    for await (const old of eachAsk(store, ACTIVE)) {
      if (isOwn(old)) soon(old.id);
      if (isOwn(old) && old.match === WHICH_AGENTS && old.state === "open") asked = old.id;
    }
  }

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
      ? install(id, settled.match.slice(INSTALL.length), picked)
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

  async function offer(welcome: string, picked: readonly Option[]): Promise<string> {
    const chosen = AGENTS.filter(isInstallable).filter(({ name }) =>
      picked.some(({ effect, target }) => effect === "listen" && target === name),
    );
    const none = picked.filter(({ effect }) => effect === "listen-to-none");
    if (chosen.length + none.length < picked.length) return askWhich(`${WHICH_AGENTS} ${welcome}`);
    if (chosen.length === 0) return "none yet; later: parley setup";
    const done: string[] = [];
    for (const agent of chosen) done.push(await askToChange(agent, welcome));
    return done.join("; ");
  }

  /** With the exact change as its preview. `after`: the Ask that it follows from. */
  async function askToChange(agent: Installable, after: string): Promise<string> {
    const { name, title } = agent;
    const { path, change, summary, hasBackup } = await setup.changeFor(agent);
    if (change === undefined) return `${title} is set up already: ${path}`;
    const question = {
      text: `Let ${title} ask through Parley? This ${summary}.`,
      header: "Set-up",
      multiSelect: false,
      options: [
        option({
          label: "Apply",
          description: hasBackup ? "Write it; a backup is kept beside it" : "Write it",
          effect: "apply",
          preview: change,
        }),
        option({ label: "Skip", description: "Leave it; later: parley setup", effect: "skip" }),
      ],
    };
    await ask(`${INSTALL}${name}`, question, `${INSTALL}${name} ${after}`);
    return `${title}: see the next question`;
  }

  async function install(id: string, name: string, [picked]: readonly Option[]): Promise<string> {
    if (picked?.effect === "apply") return setup.apply(name, picked.preview);
    const agent = agentNamed(name);
    if (!picked || picked.effect === "skip" || !agent || !isInstallable(agent)) return "skipped; later: parley setup";
    return askToChange(agent, id);
  }

  /** Asks once in the life of a home. */
  async function askOnce({ path, again = false }: Wish = {}): Promise<void> {
    if (path !== undefined) setup.lookOn(path);
    if (again || existsSync(mark)) return lookAgain();
    await askWhich(WHICH_AGENTS);
    writeFileSync(mark, "", { mode: 0o600 });
  }

  /** Who was installed since it was asked is offered too, in a question that takes its place. */
  async function lookAgain(): Promise<void> {
    const open = asked && (await store.ask(asked));
    if (!open || open.state !== "open") return void (asked = undefined);
    const offered = new Set(open.questions[0]?.options.map(({ target }) => target));
    if (found().every(({ name }) => offered.has(name))) return;
    await askWhich(`${WHICH_AGENTS} ${open.id}`);
    await inbox.change(open.id, (current) => {
      const event = withdraw(current, "taken-back", now());
      return event ? [event] : [];
    });
  }

  const found = () => AGENTS.filter(isInstallable).filter(setup.isFound);

  async function askWhich(once: string): Promise<string> {
    const there = found();
    const later = `${there.length === 0 ? "None was found on your PATH; one that you install is offered here. " : ""}Later: parley setup`;
    const question = {
      text: "Which agents should Parley listen to?",
      header: "Agents",
      multiSelect: true,
      options: [
        ...there.map(({ name, title, program }) =>
          option({ label: title, description: `found as ${program}`, effect: "listen", target: name }),
        ),
        option({ label: "None yet", description: later, effect: "listen-to-none" }),
      ],
    };
    asked = (await ask(WHICH_AGENTS, question, once)).id;
    return "asked again";
  }

  return {
    ask: (wish?: Wish): Promise<void> => serial(WHICH_AGENTS, () => askOnce(wish)),
    /** Before questions are shown. */
    refresh: async (): Promise<void> => (asked === undefined ? undefined : serial(WHICH_AGENTS, lookAgain)),
  };
}

/** A task's own question goes to Parley itself too; the one that runs tasks acts on it. */
const isOwn = ({ origin, deliveries }: Ask) =>
  origin.task === undefined && deliveries.some(({ channel }) => channel === "self");
