import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askOf, features } from "../../test/sample.ts";
import { BrainConfig } from "../core/autopilot/brain-config.ts";
import { isAlive } from "../machine/process/process.ts";
import { BrainError, type BrainReply, type BrainRequest } from "./brain.ts";
import { createBrain } from "./create-brain.ts";
import { createReplies } from "./replies.ts";

const KEY = "sk-very-secret";
const POSTGRES = {
  settlement: { action: "answer" as const, answers: [{ picks: [1] }] },
  reason: "The roadmap says so.",
  sources: ["judgement"],
  screening: { needsPerson: undefined, options: [], reason: "The roadmap says so." },
};
const good = JSON.stringify({
  actions: [{ action: "select", optionIndex: 1, label: "Postgres" }],
  reason: "The roadmap says so.",
});
const request = (more: Partial<BrainRequest> = {}): BrainRequest => ({ ask: askOf(), documents: [], ...more });
const wanted = () => new AbortController().signal;
/** What it answers, where it may. */
const answered = async (thinking: Promise<BrainReply>): Promise<Exclude<BrainReply, { needsPerson: string }>> => {
  const reply = await thinking;
  if ("needsPerson" in reply) throw new Error("it says that it needs a person");
  return reply;
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-brain-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const brain = (config: object, more: Partial<Parameters<typeof createBrain>[2]> = {}) =>
  createBrain("hal", BrainConfig.parse(config), {
    env: { PATH: process.env["PATH"], MY_KEY: KEY, OTHER: "not for it" },
    replies: createReplies(),
    folder,
    parley: "parley",
    ...more,
  });
/** A killed process is gone a moment later; one that stays makes the test run out of time. */
const gone = async (pid: string) => {
  while (isAlive({ pid: Number(pid) })) await Bun.sleep(5);
};
const failure = async (thinking: Promise<unknown>) => {
  const error = await thinking.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof BrainError)) throw new Error(`no BrainError: ${String(error)}`);
  expect(JSON.stringify([error.message, error.stack, error])).not.toContain(KEY);
  return error;
};

describe("command", () => {
  /** A program of the person's own. */
  const program = (script: string) => {
    const path = join(folder, "decide");
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
    return { type: "command", command: [path, "--fast"] };
  };
  const inFolder = (name: string) => readFileSync(join(folder, name), "utf8");

  test("[BR19] gets the request as JSON in an empty folder and an environment that was named, and replies as JSON", async () => {
    const config = program(`cat > input.json; env > env.txt; echo "$1 $(pwd)" > args.txt; echo '${good}'`);
    const ask = askOf({
      questions: askOf().questions,
      origin: { agent: "pi", session: "s", project: "shop", branch: "b" },
    });
    const documents = [{ name: "STATE.md", text: "Phase 2", cut: false }];
    const think = brain({ ...config, env: ["MY_KEY"] });
    const thinking = think(request({ ask, documents, categories: ["delegation"], phase: "plan" }), wanted());
    expect(await answered(thinking)).toEqual(POSTGRES as never);
    expect(JSON.parse(inFolder("input.json"))).toMatchObject({
      ask: { id: "abc123def456", kind: "question", agent: "pi", session: "s", project: "shop", branch: "b" },
      phase: "plan",
      questions: [
        {
          index: 0,
          category: "delegation",
          text: "Which database?",
          multiSelect: false,
          options: [
            { index: 0, label: "SQLite" },
            { index: 1, label: "Postgres" },
          ],
        },
      ],
      documents,
      message: expect.stringContaining("Which database?"),
    });
    expect(inFolder("args.txt")).toBe(`--fast ${folder}\n`);
    expect(inFolder("env.txt")).toContain(`MY_KEY=${KEY}`);
    expect(inFolder("env.txt")).not.toContain("OTHER");
  });

  test("[BR20] a reply that does not fit goes back once with the problems, and what was wrong is told", async () => {
    const lie = JSON.stringify({ actions: [{ action: "select", optionIndex: 0, label: "Postgres" }] });
    const config = program(`cat >> input.json; [ -e asked2 ] && echo '${good}' || echo '${lie}'
      [ -e asked ] && touch asked2; touch asked`);
    const { sentBack, screening, ...reply } = await answered(brain(config)(request(), wanted()));
    expect(screening.needsPerson).toBeUndefined();
    expect(reply).toMatchObject({ settlement: POSTGRES.settlement, reason: POSTGRES.reason });
    expect(sentBack).toEqual([{ field: "actions.0", message: `Option 0 is "SQLite"`, actual: "Postgres" }]);
    const [, first = "", second = ""] = inFolder("input.json").split("\n");
    expect(first).not.toContain("refused");
    expect(second).toContain(`Option 0 is \\"SQLite\\"`);
  });

  test.each([
    ["junk", "echo maybe", `There must be one JSON object with "actions" in it`],
    ["nothing", "true", `There must be one JSON object with "actions" in it`],
    ["a missing option", `echo '{"actions":[{"action":"select","optionIndex":9}]}'`, "There is no option 9"],
    ["a wrong label", `echo '{"actions":[{"action":"select","optionIndex":0,"label":"B"}]}'`, `Option 0 is "SQLite"`],
  ])("[BR21] %s twice is a failure that says why", async (_what, script, why) => {
    const error = await failure(brain(program(`cat > /dev/null; echo x >> times; ${script}`))(request(), wanted()));
    expect(error.failure).toBe("junk");
    expect(error.message).toBe(`hal: its reply does not answer the question, twice: ${why}`);
    expect(inFolder("times")).toBe("x\nx\nx\n");
  });

  test("[BR22] a program that does not end is ended at its time, with everything it started", async () => {
    const config = program(`sleep 1000 & echo "$$ $!" > pids; wait`);
    // On a busy machine its time may be over before it has begun.
    const hasBegun = () => existsSync(join(folder, "pids")) && inFolder("pids").endsWith("\n");
    for (let seconds = 1; !hasBegun(); seconds *= 3) {
      const error = await failure(brain({ ...config, timeout_seconds: seconds })(request(), wanted()));
      expect([error.failure, error.message]).toEqual(["time", `hal: no answer within ${seconds} s`]);
    }
    await Promise.all(inFolder("pids").trim().split(" ").map(gone));
  });

  test("[BR23] an answer that is no longer wanted stops it at once", async () => {
    const stop = new AbortController();
    const thinking = failure(brain(program(`echo $$ > pid; sleep 1000`))(request(), stop.signal));
    while (!existsSync(join(folder, "pid")) || inFolder("pid") === "") await Bun.sleep(5);
    stop.abort();
    const { failure: what, message } = await thinking;
    expect([what, message]).toEqual(["stopped", "hal: its answer is no longer wanted"]);
    await gone(inFolder("pid"));
  });

  test("[BR45] a program below the person's home is found by ~/", async () => {
    program(`echo '${good}'`);
    const env = { PATH: process.env["PATH"], HOME: folder };
    expect(await brain({ type: "command", command: ["~/decide"] }, { env })(request(), wanted())).toEqual(
      POSTGRES as never,
    );
  });

  test("[BR24] what it leaves behind is ended and does not keep its answer", async () => {
    const config = program(`sleep 1000 & echo $! > pid; echo '${good}'`);
    expect(await brain(config)(request(), wanted())).toEqual(POSTGRES as never);
    await gone(inFolder("pid"));
  });

  test.each([
    ["yes", "junk", "hal: decide said more than 262144 bytes"],
    ["exit 3", "junk", "hal: decide ended with exit code 3"],
    [`kill -9 $$`, "junk", "hal: decide ended with SIGKILL"],
  ])("[BR25] a program that does %j is a failure that says so", async (script, what, message) => {
    const error = await failure(brain(program(script))(request(), wanted()));
    expect([error.failure, error.message]).toEqual([what, message] as never);
    const missing = await failure(brain({ type: "command", command: ["no-such-program"] })(request(), wanted()));
    expect(missing.message).toBe("hal: The program no-such-program is not installed");
    const elsewhere = brain({ type: "command", command: ["sh"] }, { folder: "/nowhere" });
    expect((await failure(elsewhere(request(), wanted()))).message).toBe(
      "hal: The program sh cannot be started (ENOENT)",
    );
  });
});

describe("by command", () => {
  const config = { type: "openclaw", url: "http://127.0.0.1:9", key_env: "MY_KEY" };

  test("[BR26] an answer that was handed in unchecked is a failure, not an answer", async () => {
    using gateway = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => Response.json({ ok: true, runId: "r" }) });
    const replies = createReplies();
    const ask = askOf({ questions: [features] });
    const thinking = failure(brain({ ...config, url: gateway.url.origin }, { replies })(request({ ask }), wanted()));
    while (!replies.take(ask.id, "hal", { screening: { said: {} } })) await Bun.sleep(1);
    const answer = { settlement: { action: "answer" as const, answers: [{ picks: [7] }] } };
    while (!replies.take(ask.id, "hal", { answer })) await Bun.sleep(1);
    expect((await thinking).message).toBe("hal: its answer does not answer the question");
    expect(replies.take(ask.id, "hal", { answer })).toBe(false);
  });
});
