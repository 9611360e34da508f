import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { poll } from "../src/lab/poll.ts";
import { createProgram, type Program } from "../test/e2e/program.ts";
import type { Campaign, Plan, Report } from "./campaign.ts";
import { createAnsweringModel } from "./openclaw-model.ts";
import { type Gateway, installOpenClaw, NODE, OPENCLAW, startGateway } from "./openclaw-gateway.ts";

const PATIENCE_MS = 180_000;

/** Questions that an agent behind the real OpenClaw gateway decides, by the command it is told. */
export const openclaw: Campaign = {
  title: "An OpenClaw gateway decides",
  counts: "questions",
  usual: 3,
  page: "docs/brains.md",
  async run(plan): Promise<Report> {
    const root = mkdtempSync(join(tmpdir(), "parley-openclaw-"));
    // OPENCLAW_FOLDER: where it was installed before, so that it is not fetched anew.
    const installed = process.env["OPENCLAW_FOLDER"] ?? join(root, "installed");
    const hookToken = `hook-${crypto.randomUUID()}`;
    const model = createAnsweringModel();
    try {
      plan.progress(`installing openclaw ${OPENCLAW} and node ${NODE}`);
      await installOpenClaw(installed);
      plan.progress("starting the gateway");
      await using gateway = await startGateway({ installed, home: join(root, "home"), hookToken, modelUrl: model.url });
      plan.progress(`the gateway is ready after ${seconds(gateway.readyMs)}`);
      const tally = await ask(plan, gateway, hookToken);
      const refused = model.ran.filter(({ result = "" }) => result.includes(`not "not `)).length;
      return {
        counted: tally.decided,
        failures: tally.failures,
        rows: [
          ["openclaw", `${OPENCLAW} on Node ${NODE}, ready after ${seconds(gateway.readyMs)}`],
          ["questions", tally.asked],
          ["decided by its agent with the commands it ran, and a second brain agreed", tally.decided],
          ["commands it ran", `${model.ran.length}, ${refused} refused for a wrong label and mended`],
          ["a wrong token", tally.locked],
          ["slowest decision", seconds(tally.slowestMs)],
        ],
      };
    } finally {
      await model.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    }
  },
};

type Tally = { asked: number; decided: number; slowestMs: number; locked: string; failures: string[] };

async function ask({ amount, until, progress }: Plan, gateway: Gateway, hookToken: string): Promise<Tally> {
  const tally: Tally = { asked: 0, decided: 0, slowestMs: 0, locked: "", failures: [] };
  const program = createProgram();
  try {
    configure(program, gateway.url, hookToken);
    await program.start();
    await answeredBefore(program);
    while (tally.asked < amount && performance.now() < until) {
      tally.asked++;
      const started = performance.now();
      const failure = await one(program);
      tally.slowestMs = Math.max(tally.slowestMs, performance.now() - started);
      if (failure === undefined) tally.decided++;
      else tally.failures.push(failure);
      progress(failure ?? `question ${tally.asked} was decided in ${seconds(performance.now() - started)}`);
    }
    tally.locked = await lockedOut(program);
    if (!tally.locked.includes("does not accept the key")) tally.failures.push(`a wrong token: ${tally.locked}`);
    if (readFileSync(program.paths.log, "utf8").includes(hookToken)) tally.failures.push("the token is in the log");
  } finally {
    await program.dispose();
  }
  return tally;
}

function configure(program: Program, url: string, hookToken: string): void {
  const [key, wrong] = ["token", "wrong-token"].map((name) => join(program.root, name)) as [string, string];
  writeFileSync(key, hookToken, { mode: 0o600 });
  writeFileSync(wrong, "something-else", { mode: 0o600 });
  const folder = join(program.user, ".config", "parley");
  mkdirSync(folder, { recursive: true });
  const brain = (name: string, file: string, more = "") =>
    `[autopilot.brains.${name}]\ntype = "openclaw"\nurl = "${url}"\nkey_file = "${file}"\nagent = "main"\n${more}`;
  const witness = [process.execPath, join(import.meta.dirname, "../test/e2e/verdict-reply.ts"), "List"];
  const second = `[autopilot.brains.witness]\ntype = "command"\ncommand = ${JSON.stringify(witness)}\n`;
  const rule = `[[autopilot.rules]]\nname = "locked"\nmatch = { header = "Other" }\nbrain = "locked"\n`;
  writeFileSync(
    join(folder, "config.toml"),
    `[autopilot]\nmode = "on"\ntrust.per_rule = 0\nundo_seconds = 0\nbrain = "claw"\n${rule}${brain("claw", key, 'second = "witness"\n')}${brain("locked", wrong)}${second}`,
  );
  mkdirSync(join(program.user, "shop", ".git"), { recursive: true });
}

/** What the person answered themselves is what a verdict may rest on. */
async function answeredBefore(program: Program): Promise<void> {
  await program.parley(["autopilot", "pause"]);
  const { id } = await create(program, "Before");
  await program.parley(["answer", id, "List", "--only"]);
  await program.parley(["autopilot", "resume"]);
}

const question = (header: string) => ({
  question: "Which layout?",
  header,
  multiSelect: false,
  options: [
    { label: "Grid", description: "What Grid means" },
    { label: "List", description: "What List means" },
  ],
});
const create = (program: Program, header: string) =>
  program.client("agent").call("createAsk", {
    body: { questions: [question(header)], origin: { cwd: join(program.user, "shop"), project: "shop" } },
  });

/** Undefined: decided by the agent behind the gateway, and with the asker. */
async function one(program: Program): Promise<string | undefined> {
  const { id } = await create(program, "Layout");
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const { outcome } = await program.client("agent").call("receiveAnswer", { id, query: { wait: 5000 } });
    const { type, name } = outcome?.actor ?? {};
    if (outcome && type === "brain" && name === "claw" && outcome.answers?.[0]?.picks[0] === 1) return undefined;
    if (outcome || performance.now() > until) return `${id}: ${(await program.parley(["explain", id])).out}`;
  }
}

/** What the person reads when the gateway does not take the token. */
async function lockedOut(program: Program): Promise<string> {
  const { id } = await create(program, "Other");
  const said = async () => {
    const { out } = await program.parley(["explain", id]);
    return /locked: (.*)/.exec(out)?.[1];
  };
  return poll(said, { timeoutMs: PATIENCE_MS, everyMs: 500, failure: () => "nothing was said" });
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
