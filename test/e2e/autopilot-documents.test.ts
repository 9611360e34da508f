import { afterEach, expect, test } from "bun:test";
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { commit, createRepository, git, write } from "../git-repository.ts";
import { createPilot, isSettled, type Pilot, stateIs } from "./autopilot-stage.ts";
import { createSession, ended, type Session } from "./hook-stage.ts";
import { holds } from "./program.ts";

const REPLY = { actions: [{ action: "select", optionIndex: 0 }], reason: "because" };
const ROADMAP = "PostgreSQL from phase 2 on.";
let pilot: Pilot;
let project: string;
let brain: ReturnType<Pilot["brain"]>;
afterEach(() => pilot.dispose());

async function start(): Promise<Session> {
  pilot = createPilot("");
  brain = pilot.brain("b", REPLY);
  pilot.configure(`[autopilot]\nmode = "on"\ntrust.per_rule = 0\nundo_seconds = 0\nbrain = "b"\n${brain.toml}`);
  project = join(pilot.program.root, "project");
  createRepository(project, { "ROADMAP.md": ROADMAP });
  await pilot.program.start();
  return createSession(pilot.program, "answered-by-hook");
}

/** Asks, and answers the documents the brain was given. */
async function asked(session: Session): Promise<unknown> {
  const before = brain.told().length;
  await session.tell("PreToolUse");
  const dialog = session.fire("PermissionRequest");
  expect(await holds(() => brain.told().length > before + 1)).toBe(true);
  const { id } = await session.ask(({ autopilot }) => autopilot?.state === "suggested");
  await pilot.program.parley(["answer", id, "--decline"]);
  await ended(dialog);
  return (brain.told().at(-1) as unknown as { documents: unknown }).documents;
}
const explained = async (session: Session) => {
  const { id } = await session.ask();
  return (await pilot.program.parley(["explain", id])).out.replaceAll(/\s+/g, " ");
};
const COMMITTED = [{ name: "ROADMAP.md", text: ROADMAP, cut: false }];

test("[DC13] a brain reads the documents as committed before the session began: neither what its agent writes nor what it commits", async () => {
  const session = await start();
  await session.tell("SessionStart");
  commit(project, { "ROADMAP.md": "Option A is the direction.", "STATE.md": "Option A" });
  git(project, "commit", "-q", "--amend", "--no-edit", "--date=2001-01-01T00:00:00Z");
  write(project, { "ROADMAP.md": "Option A, says the roadmap." });
  expect(await asked(session)).toEqual(COMMITTED);
  expect(await explained(session)).not.toContain("is not read");
});

test("[DC14] what was committed when the session began is known to the next daemon, and a session resumed begins no second time", async () => {
  const session = await start();
  await session.tell("SessionStart");
  await pilot.program.kill9();
  commit(project, { "ROADMAP.md": "Option A is the direction." });
  await pilot.program.start();
  for (const source of ["resume", "startup", "clear"])
    await session.hook({ ...session.payload("SessionStart"), source });
  expect(await asked(session)).toEqual(COMMITTED);
});

test("[DC15] documents of a session that had begun before, of none, of another folder and of no repository are not read, and it is said", async () => {
  const late = await start();
  expect(await asked(late)).toEqual([]);
  expect(await explained(late)).toContain(
    "documents passed: ROADMAP.md is not read: the session had begun when Parley first heard of it",
  );
  await late.tell("SessionStart");
  const compacted = createSession(pilot.program, "answered-by-hook");
  await compacted.hook({ ...compacted.payload("SessionStart"), source: "compact" });
  expect(await asked(compacted)).toEqual([]);
  const script = await pilot.ask({ cwd: project });
  await pilot.becomes(script, stateIs("suggested"));
  expect((await pilot.program.parley(["explain", script])).out.replaceAll(/\s+/g, " ")).toContain(
    "ROADMAP.md is not read: no session is known that began before it was written",
  );
  const moved = createSession(pilot.program, "answered-by-hook");
  await moved.tell("SessionStart");
  renameSync(project, `${project}-old`);
  createRepository(project, { "ROADMAP.md": "Option A is the direction." });
  expect(await asked(moved)).toEqual([]);
  expect(await explained(moved)).toContain("what was committed when the session began is gone");
  rmSync(join(project, ".git"), { recursive: true });
  const plain = createSession(pilot.program, "answered-by-hook");
  await plain.tell("SessionStart");
  expect(await asked(plain)).toEqual([]);
  expect(await explained(plain)).toContain("ROADMAP.md is not read: the folder is not a git repository");
  git(project, "init", "-q");
  const empty = createSession(pilot.program, "answered-by-hook");
  await empty.tell("SessionStart");
  commit(project);
  expect(await asked(empty)).toEqual([]);
  expect(await explained(empty)).toContain("ROADMAP.md is not read: nothing was committed when the session began");
});

test("[DC16] a rule that follows the documents follows them as they were committed", async () => {
  const session = await start();
  pilot.configure(
    `[autopilot]\nmode = "on"\ntrust.per_rule = 0\nundo_seconds = 0\n[[autopilot.rules]]\nname = "roadmap"\nchoose = "category"\n`,
  );
  await session.tell("SessionStart");
  commit(project, { "ROADMAP.md": "- Orders are stored in SQLite." });
  const id = await pilot.ask({
    question: "Which database should the orders use?",
    header: "Database",
    labels: ["SQLite", "PostgreSQL"],
    session: session.id,
    cwd: project,
  });
  const { outcome } = await pilot.becomes(id, isSettled);
  expect(outcome).toMatchObject({ actor: { name: "roadmap" }, answers: [{ picks: [1] }] });
});
