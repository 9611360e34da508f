import { expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { holds } from "../e2e/program.ts";
import { openTaskScene, type TaskScene } from "../e2e/task-scene.ts";
import { eventually, TEST_MS } from "../patience.ts";
import { writeWhole } from "../whole-file.ts";
import { openStage } from "./hub-stage.ts";

setDefaultTimeout(2 * TEST_MS);
/** Where a machine is when it is killed: before there is a task, and after it. */
const PLACES = ["rev-parse --git-dir", "worktree add"] as const;
const KILLED = [["machine"], ["hub"], ["hub", "machine"]] as const;

test("[HT8] whatever is killed while a machine makes a task that the hub gave: it is made once, and the hub learns which one it is", async () => {
  await using stage = await openStage();
  await using scene = await openTaskScene("park_after_seconds = 86400");
  const git = heldGit(scene);
  const hub = await stage.startHub();
  const ann = await stage.person(hub, "Ann", "approver");
  await stage.join(hub, scene, scene.project, "--name", "laptop", "--tasks");
  await eventually(async () => expect((await ann.client.tasks()).places).toHaveLength(1));

  const prompts: string[] = [];
  for (const place of PLACES)
    for (const killed of KILLED) {
      const prompt = JSON.stringify([{ say: `${killed.join(" and ")} at ${place}` }]);
      prompts.push(prompt);
      git.stay(place);
      const { id } = await ann.client.giveTask({ machine: "laptop", project: "shop", prompt });
      await git.reached();
      if (killed.includes("hub" as never)) await hub.kill();
      if (killed.includes("machine" as never)) await scene.kill9();
      git.go();
      if (killed.includes("hub" as never)) await hub.start();
      if (killed.includes("machine" as never)) await scene.start();
      const made = await eventually(async () => {
        const found = await ann.client.task(id);
        expect(found.state).toBe("received");
        return found;
      });
      expect((await scene.task(made.task ?? "")).order.prompt).toBe(prompt);
      await scene.becomes(made.task ?? "", ({ state }) => state === "done");
    }
  const { tasks } = await scene.client().call("listTasks", { query: {} });
  expect(tasks.map(({ order }) => order.prompt).toSorted()).toEqual(prompts.toSorted());
  expect(await stage.admin("audit", "verify")).toMatchObject({ ok: true });
});

/** The machine's git, which stops where it is told to, in a repository with a commit. */
function heldGit({ root, user, project }: TaskScene) {
  const real = Bun.which("git") ?? "git";
  for (const args of [
    ["init", "--quiet"],
    ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--allow-empty", "-m", "one"],
  ])
    Bun.spawnSync([real, ...args], { cwd: project, env: { PATH: process.env["PATH"] ?? "", HOME: user } });
  const [wanted, there, program] = [join(user, "stay-git"), join(user, "at-git"), join(root, "bin/git")];
  const script = `#!/bin/sh
if [ -f ${wanted} ] && case "$*" in *"$(cat ${wanted})"*) true;; *) false;; esac; then
  touch ${there}
  while [ -f ${wanted} ]; do sleep 0.05; done
fi
exec ${real} "$@"
`;
  writeFileSync(program, script);
  chmodSync(program, 0o755);
  return {
    stay(place: string) {
      rmSync(there, { force: true });
      writeWhole(wanted, place);
    },
    async reached() {
      if (!(await holds(() => existsSync(there)))) throw new Error("git did not come there");
    },
    go: () => rmSync(wanted, { force: true }),
  };
}
