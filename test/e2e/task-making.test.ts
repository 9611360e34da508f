import { expect, test } from "bun:test";
import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandsWith } from "../../src/machine/process/process.ts";
import { holds } from "./program.ts";
import { isIn, isWaiting, openTaskScene, type TaskScene } from "./task-scene.ts";

const REAL_GIT = Bun.which("git") ?? "git";
const MISMATCH = { code: "idempotency_mismatch", message: "This idempotency key was used for another request" };

function git(scene: TaskScene, ...args: string[]): string[] {
  const who = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "init.defaultBranch=main"];
  const { stdout } = Bun.spawnSync([REAL_GIT, "-C", scene.project, ...who, ...args]);
  return stdout.toString().split("\n").filter(Boolean);
}

const branches = (scene: TaskScene) => git(scene, "for-each-ref", "--format=%(refname:short)", "refs/heads/parley");
const worktrees = (scene: TaskScene) =>
  git(scene, "worktree", "list", "--porcelain").filter((line) => line.startsWith("worktree "));
const refused = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );
const filesIn = (path: string) => (existsSync(path) ? readdirSync(path) : []);

/** A `git` that does this instead of adding a worktree ($GIT is the real one, $STAY waits), and everything else as ever. */
async function openRepository(instead: string): Promise<TaskScene> {
  const scene = await openTaskScene("limit = 2");
  git(scene, "init", "--quiet");
  writeFileSync(join(scene.project, "readme.md"), "one\n");
  git(scene, "add", ".");
  git(scene, "commit", "--quiet", "--message", "start");
  const stay = `{ touch ${scene.user}/at-git; while [ -e ${scene.user}/stay-git ]; do sleep 0.05; done; }`;
  const text = `#!/bin/sh
GIT=${REAL_GIT}; export GIT
case "$*" in *"worktree add"*) if [ -e ${scene.user}/stay-git ]; then ${instead.replaceAll("$STAY", stay)}; fi ;; esac
exec ${REAL_GIT} "$@"
`;
  writeFileSync(join(scene.root, "bin/git"), text);
  chmodSync(join(scene.root, "bin/git"), 0o755);
  return scene;
}

/** Asks for a worktree task, kills the daemon where its git stays, and answers what was asked for. */
async function killInGit(scene: TaskScene, end: "its git goes on" | "its git is killed") {
  writeFileSync(join(scene.user, "stay-git"), "");
  const body = { prompt: JSON.stringify([{ say: "Done." }]), name: "it", cwd: scene.project, worktree: true };
  const wanted = {
    body: { ...body, environment: { PATH: `${join(scene.root, "bin")}:${process.env["PATH"]}`, HOME: scene.user } },
    idempotencyKey: crypto.randomUUID(),
  };
  const lost = scene
    .client()
    .call("createTask", wanted)
    .catch(() => undefined);
  expect(await holds(() => existsSync(join(scene.user, "at-git")))).toBe(true);
  await scene.kill9();
  const gits = commandsWith(join(scene.home, "worktrees"));
  if (end === "its git is killed") for (const pid of gits) process.kill(pid, "SIGKILL");
  rmSync(join(scene.user, "stay-git"));
  return { wanted, lost };
}

const PLACES = {
  "before git began": "$STAY",
  "with the branch alone": `"$GIT" -C "$PWD" branch $(echo "$*" | sed 's/.*-b \\([^ ]*\\).*/\\1/'); $STAY`,
  "in the middle of the checkout": `"$GIT" "$@"; tree=$(echo "$*" | sed 's/.*-b [^ ]* \\([^ ]*\\) .*/\\1/'); rm -f "$tree"/readme.md; echo initializing > "$("$GIT" -C "$tree" rev-parse --git-dir)/locked"; touch "$("$GIT" -C "$tree" rev-parse --git-dir)/index.lock"; $STAY; exit 1`,
  "after git": `"$GIT" "$@"; $STAY; exit 0`,
} as const;

test.each(
  Object.keys(PLACES).flatMap((place) => [
    [place, "its git goes on"],
    [place, "its git is killed"],
  ]) as [keyof typeof PLACES, Parameters<typeof killInGit>[1]][],
)(
  "[RX40] the daemon is killed %s, %s: the same key makes one task, one branch and one worktree",
  async (place, end) => {
    await using scene = await openRepository(PLACES[place]);
    const { wanted, lost } = await killInGit(scene, end);
    await scene.start();
    await lost;
    const { id } = await scene.client().call("createTask", wanted);
    const { workdir } = await scene.becomes(id, isIn("done"));
    expect((await scene.client().call("listTasks", { query: {} })).tasks).toHaveLength(1);
    expect(branches(scene)).toEqual([workdir?.branch ?? ""]);
    expect(worktrees(scene)).toHaveLength(2);
    expect(filesIn(workdir?.root ?? "")).toContain("readme.md");
    expect(filesIn(join(scene.home, "tasks", id))).not.toContain("unfinished.json");
  },
);

test.each(Object.keys(PLACES) as (keyof typeof PLACES)[])(
  "[RX41] the daemon is killed %s and nobody asks again: the next one removes what is left",
  async (place) => {
    await using scene = await openRepository(PLACES[place]);
    // A client that does not come back.
    writeFileSync(join(scene.user, "stay-git"), "");
    const body = { prompt: "[]", cwd: scene.project, worktree: true, environment: { SECRET: "s3cret" } };
    const asked = fetch(`${scene.url()}/api/tasks`, {
      method: "POST",
      headers: { authorization: `Bearer ${scene.tokens().human}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    }).catch(() => undefined);
    expect(await holds(() => existsSync(join(scene.user, "at-git")))).toBe(true);
    await scene.kill9();
    rmSync(join(scene.user, "stay-git"));
    await asked;
    await scene.start();
    const left = () => [
      ...branches(scene),
      ...worktrees(scene).slice(1),
      ...filesIn(join(scene.home, "worktrees")),
      ...filesIn(join(scene.home, "tasks")),
      ...filesIn(join(scene.project, ".git/worktrees")),
    ];
    await holds(() => left().length === 0);
    expect(left()).toEqual([]);
  },
);

test("[RX42] a key that was used for another task is refused, whatever differs; the same body in another order is the same task", async () => {
  await using scene = await openTaskScene("limit = 2");
  const environment = { PATH: `${join(scene.root, "bin")}:${process.env["PATH"]}`, HOME: scene.user };
  const body = { prompt: JSON.stringify([{ say: "Done." }]), name: "it", cwd: scene.project, environment };
  const create = (wanted: typeof body & Record<string, unknown>) =>
    scene.client().call("createTask", { body: wanted, idempotencyKey: "one" });
  const { id } = await create(body);
  const turned = Object.fromEntries(Object.entries(body).toReversed()) as typeof body;
  expect((await create({ ...turned, environment: { HOME: environment.HOME, PATH: environment.PATH } })).id).toBe(id);
  const others = [
    { prompt: "[]" },
    { name: "other" },
    { gate: "true" },
    { budgetUsd: 1 },
    { review: true },
    { environment: { ...environment, MORE: "1" } },
  ];
  for (const other of others) expect(await refused(create({ ...body, ...other }))).toMatchObject(MISMATCH);
  await scene.becomes(id, isIn("done"));
  expect((await create(body)).id).toBe(id);
  expect((await scene.client().call("listTasks", { query: {} })).tasks).toHaveLength(1);
});

test("[RX43] feedback and a retry that are sent again, because their replies got lost, are done once", async () => {
  await using scene = await openTaskScene("limit = 2");
  const id = await scene.give([{ stop: "Which one?" }, { stop: "And now?" }, { say: "Good." }]);
  await scene.becomes(id, isWaiting("idle"));
  const tell = (message: string) =>
    scene.client().call("taskFeedback", { id, body: { message }, idempotencyKey: "words" });
  await tell("The first");
  await scene.becomes(id, ({ run, asks }) => run === 2 && asks.length === 1);
  // It asks something else by now.
  expect(await tell("The first")).toMatchObject({ state: "waiting", run: 2 });
  expect(await refused(tell("Another"))).toMatchObject(MISMATCH);
  const retry = () => scene.client().call("taskRetry", { id, body: {}, idempotencyKey: "again" });
  await retry();
  await scene.becomes(id, ({ attempt, state }) => attempt === 2 && state === "waiting");
  expect(await retry()).toMatchObject({ attempt: 2, state: "waiting" });
});
