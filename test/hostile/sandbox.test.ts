import { expect } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readRegistration } from "../../src/machine/home.ts";
import { ask as askHeld } from "../e2e/cli-asker.ts";
import { BUN } from "../e2e/program.ts";
import { eventually } from "../patience.ts";
import { inSandbox } from "../e2e/sandbox-stage.ts";
import { createTaskStage, isDone, type TaskStage } from "../e2e/tasks-stage.ts";
import { writeWhole } from "../whole-file.ts";
import type { Achieved, Known } from "./sandbox-attacker.ts";

const ATTACKER = join(import.meta.dir, "sandbox-attacker.ts");

/** A person with secrets in their home, and a Parley with everything an attacker could want to know. */
async function stageOf(): Promise<TaskStage> {
  const stage = await createTaskStage(
    `park_after_seconds = 86400\nsandbox_read = ["${join(import.meta.dir, "../..")}/"]`,
  );
  const claude = join(stage.root, "bin/claude");
  writeFileSync(claude, `#!/bin/sh\nexec ${BUN} ${ATTACKER} "$@"\n`);
  chmodSync(claude, 0o755);
  for (const [name, text] of Object.entries({ ".ssh/id": "a key", "notes.txt": "a secret\n" })) {
    mkdirSync(dirname(join(stage.user, name)), { recursive: true });
    writeFileSync(join(stage.user, name), text);
  }
  return stage;
}

for (const network of ["agent", "host"] as const)
  inSandbox(
    `[SB2] an agent in a sandbox answers itself by no route, with a token in its hands, and leaves nothing that acts later (network: ${network})`,
    async () => {
      const stage = await stageOf();
      const held = await askHeld(stage);
      try {
        const { port, tokens, process: daemon } = readRegistration(stage.paths) ?? {};
        const known: Known = {
          home: stage.home,
          user: stage.user,
          config: join(stage.root, "config.toml"),
          project: stage.project,
          socket: stage.paths.socket,
          port: port ?? 0,
          token: tokens?.human ?? "",
          cookie: "parley=stolen",
          daemon: daemon?.pid ?? 0,
          otherAsk: held.id,
          otherSession: held.session,
          onHost: network === "host",
        };
        const typed = await stage.type([
          "run",
          JSON.stringify(known),
          "--name",
          "attack",
          "--sandbox",
          "--network",
          network,
          "--json",
        ]);
        expect(typed.err).toBe("");
        const { id } = JSON.parse(typed.out) as { id: string };
        const { asks, workdir } = await stage.becomes(
          id,
          ({ waitingFor, asks: open }) => waitingFor === "question" && open.length === 1,
        );
        const root = workdir?.root ?? "";
        writeWhole(join(root, "ask.txt"), asks[0] ?? "");
        // Also while it is being written.
        const achieved = await eventually(
          () => JSON.parse(readFileSync(join(root, "tried.json"), "utf8")) as Achieved[],
        );
        expect(achieved).toEqual([]);
        const own = await stage.client().call("getAsk", { id: asks[0] ?? "" });
        expect(own).toMatchObject({ state: "open", origin: { sandbox: true, task: id } });
        expect(await stage.client().call("getAsk", { id: held.id })).toMatchObject({ state: "open" });

        // A person answers; what it did is looked at, applied and gone on with.
        // Its forged record is what it says for itself: a mismatch that is told, and no answer of a person's.
        const { code, out: told } = await stage.type(["answer", asks[0] ?? "", "2"]);
        expect([code, told]).toEqual([
          5,
          expect.stringContaining("✗ Claude Code (in a sandbox) received something else"),
        ]);
        const done = await stage.becomes(id, isDone);
        expect(done.said).toContain('"May I?":"No"');
        const answered = await stage.client().call("getAsk", { id: asks[0] ?? "" });
        const outcome = { type: "answered", actor: { type: "person", surface: "cli" }, answers: [{ picks: [1] }] };
        expect(answered).toMatchObject({ state: "mismatched", outcome });
        const { sessions } = await stage.client().call("listSessions", { query: {} });
        const transcript = sessions.find((each) => each.id === done.session)?.transcript ?? "";
        expect(transcript).toBe(join(stage.home, "tasks", id, "own/0/projects/p", `${done.session}.jsonl`));
        const { out } = await stage.type(["task", "diff", id]);
        expect(out).toContain("made inside");
        expect(out).not.toContain("a secret");
        for (const args of [
          ["status"],
          ["log", "-1"],
          ["commit", "--allow-empty", "-qm", "mine"],
          ["checkout", "-q", "--detach"],
        ])
          stage.git("-C", root, ...args);
        expect(existsSync(join(stage.user, "escaped"))).toBe(false);
      } finally {
        await held.hangsUp();
        await stage.dispose();
      }
    },
  );
