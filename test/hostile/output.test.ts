import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { onTerminal, withoutColours } from "../e2e/cli-terminal.ts";
import { COMMANDS } from "../../src/surfaces/cli/command-line/table.ts";
import { createProgram, type Program } from "../e2e/program.ts";
import { ALL, ALL_ARGUMENT, expectSafe } from "./corpus.ts";
import { fill, HOSTILE_QUESTIONS, type Horrors } from "./inbox-of-horrors.ts";
import { TEST_MS } from "../patience.ts";

setDefaultTimeout(TEST_MS);

let program: Program;
let horrors: Horrors;
beforeAll(async () => {
  program = createProgram();
  await program.start({ PARLEY_LOG: "debug" });
  horrors = await fill(program);
});
afterAll(async () => {
  // Its hook has left with the answer, unless a test above failed.
  await horrors.held.hangsUp().catch(() => undefined);
  await program.dispose();
});

type Case = { once?: string[][]; each?: (id: string) => string[][] };
const word = ALL_ARGUMENT;
/** What is run of every command: once, and for every Ask there is. What ends or changes everything comes last, below. */
const CASES: Record<string, Case | string> = {
  inbox: { once: [["inbox"]] },
  popup: { once: [["popup"]] },
  open: {
    once: [
      ["open", "--print"],
      ["open", word],
    ],
  },
  ls: {
    once: [
      ["ls"],
      ["ls", "--all"],
      ["ls", "--done"],
      ["ls", "--project", word],
      ["ls", "--agent", word],
      ["ls", "--state", word],
    ],
  },
  status: { once: [["status"]] },
  agents: { once: [["agents"], ["agents", word], ["agents", "--json"]] },
  sessions: { once: [["sessions"], ["sessions", word], ["sessions", word, "--dismiss"]] },
  grants: {
    once: [
      ["grants"],
      ["grants", "--all"],
      ["grants", "show", word],
      ["grants", "decline", word],
      ["grants", "edit", word, "--pattern", word, "--yes"],
    ],
  },
  service: {
    once: [["service"], ["service", "install", "--print"], ["service", word]],
  },
  upgrade: {
    once: [
      ["upgrade", "--print"],
      ["upgrade", word],
    ],
  },
  container: { once: [["container"], ["container", word], ["container", "dev", "--folder", word]] },
  uninstall: {
    once: [
      ["uninstall", "--print"],
      ["uninstall", word],
    ],
  },
  count: { once: [["count"]] },
  show: { once: [["show", word]], each: (id) => [["show", id]] },
  why: { once: [["why", word]], each: (id) => [["why", id]] },
  answer: {
    once: [
      ["answer", word, "1"],
      ["answer", "--bulk"],
      ["answer", "--bulk", "--json"],
      ["answer", "--bulk", word],
    ],
    each: (id) => [
      ["answer", id, "9"],
      ["answer", id, word, word],
    ],
  },
  review: { once: [["review"]] },
  snooze: {
    once: [["snooze", word, "1h"]],
    each: (id) => [
      ["snooze", id, "1h"],
      ["snooze", id, "off"],
      ["snooze", id, word],
    ],
  },
  jump: { once: [["jump", word]], each: (id) => [["jump", id]] },
  ask: {
    once: [
      ["ask", `${word}?`, "-o", word, "-o", "B", "--no-wait"],
      ["ask", word, "--name", word, "-o", `A: ${word}`, "-o", "B: b", "--no-wait"],
    ],
  },
  confirm: {
    once: [
      ["confirm", `${word}?`, "--yes", word, "--no", word, "--timeout", "1ms"],
      ["confirm", word, "--name", word, "--header", word, "--timeout", "1ms"],
      ["confirm", word, word],
    ],
  },
  wait: {
    once: [["wait", word]],
    each: (id) => [
      ["wait", id, "--timeout", "1ms"],
      ["wait", id, "--timeout", word],
    ],
  },
  autopilot: {
    once: [
      ["autopilot"],
      ["autopilot", "test"],
      ["autopilot", "stats"],
      ["autopilot", "replay"],
      ["autopilot", "trust"],
      ["autopilot", "trust", "--withdraw", word],
      ["autopilot", "pause", "--session", word],
      ["autopilot", "resume", "--session", word],
      ["autopilot", word],
    ],
    each: (id) => [["autopilot", "test", id]],
  },
  digest: {
    once: [["digest"], ["digest", "agree", word], ["digest", "withdraw", word], ["digest", "correct", word, word]],
    each: (id) => [["digest", "agree", id]],
  },
  explain: { once: [["explain", word]], each: (id) => [["explain", id]] },
  accept: { once: [["accept", word]], each: (id) => [["accept", id]] },
  undo: { once: [["undo", word]], each: (id) => [["undo", id]] },
  run: { once: [["run", word, "--cwd", join("/nowhere", word)]] },
  tasks: { once: [["tasks"], ["tasks", "--all"], ["tasks", word]] },
  task: {
    once: ["show", "logs", "answer", "feedback", "retry", "cancel", "done", "rm", word].map((a) => ["task", a, word]),
  },
  scan: { once: [["scan", join("/nowhere", word)]] },
  watch: { once: [["watch"], ["watch", word], ["watch", "%0", "--server", join("/nowhere", word)]] },
  keys: {
    once: [
      ["keys", "look", word],
      ["keys", "answer", word, word],
      ["keys", "answer", "%0", word, "--server", join("/nowhere", word)],
    ],
  },
  mcp: { once: [["mcp", word], ["mcp"]] },
  acp: { once: [["acp"], ["acp", word], ["acp", "--settings", word, "--", word, word], ["acp", "--", `/${word}`]] },
  log: { once: [["log", "-n", "1000"]], each: (id) => [["log", id]] },
  logs: {
    once: [
      ["logs", "-n", "1000"],
      ["logs", "--level", word],
    ],
  },
  decisions: { once: [["decisions"], ["decisions", "--md"]] },
  setup: {
    once: [
      ["setup", word],
      ["setup", "claude-code", "--print"],
    ],
  },
  doctor: { once: [["doctor"]] },
  config: {
    once: [
      ["autopilot", "suggest", word],
      ["config", "set", word, word],
      ["config", "set", "log.level", word],
      ["config"],
      ["config", word],
    ],
  },
  notify: {
    once: [
      ["notify", "test"],
      ["notify", "test", word],
      ["notify", "pairs"],
      ["notify", "pair", word],
      ["notify", "unpair", "telegram", word],
      ["notify", word],
    ],
  },
  phone: {
    once: [
      ["phone", word],
      ["phone", "--no-wait", "--name", word],
      ["phone", "list"],
      ["phone", "revoke", word],
    ],
  },
  hub: {
    once: [
      ["hub", "machines", "--data", join("/dev/null", word)],
      ["hub", "token", "--member", word, "--role", word],
      ["hub", "revoke", word],
      ["hub", "audit", "verify", word, "--head", word],
      ["hub", "audit", "export", "--out", join("/dev/null", word)],
      ["hub", "token", "--machine", word],
      ["hub", "invite", word, "--role", "viewer", "--url", word],
      ["hub", "claim", word, "--to", word],
      ["hub", "policy", "--two", "--project", word],
      ["hub", "policy", "--two", "--kind", word],
      ["hub", "policy", "--remove", word],
      ["hub", "route", "--to", word, "--project", word, "--kind", word],
      ["hub", "route", "--remove", "--project", word],
      ["hub", "group", word, word],
      ["ls", "--hub", "--for", word, "--machine", word],
      ["run", word, "--hub", "--machine", word, "--project", word],
      ["tasks", "--hub", "--take-back", word],
      ["hub", "--url", word],
      ["hub", "--listen", word],
      ["hub", word],
    ],
  },
  join: { once: [["join"], ["join", "--accept", word], ["join", word, "--code", word, "--project", word, "--yes"]] },
  leave: { once: [["leave"], ["leave", word]] },
  up: { once: [["up"], ["up", word]] },
  serve: { once: [["serve", word]] },
  prune: { once: [["prune", "--days", word]] },
  backup: { once: [["backup", join("/nowhere", word)]] },
  restore: { once: [["restore", join("/nowhere", word)]] },
  "bug-report": {
    once: [["bug-report", word]],
    each: (id) => [
      ["bug-report", id, "--out", "report.json"],
      ["bug-report", id, "--with-text", "--out", "report.json"],
    ],
  },
  completion: {
    once: [
      ["completion", "bash"],
      ["completion", "--ids"],
      ["completion", word],
    ],
  },
  complete: {
    once: [
      ["complete", "--", "show", ""],
      ["complete", "--", word],
      ["complete", "--", "show", word],
    ],
  },
  decision: {
    once: [
      ["decision", "list"],
      ["decision", word],
    ],
    each: (id) => [
      ["decision", "show", id],
      ["decision", "resolve", id, word],
    ],
  },
  hook: "fails open, with a suite of its own (HO hook payloads)",
  down: "ends the daemon: in the last test",
  restart: "ends the daemon: in the last test",
};

const SHOWS_ALL = new Set(["show", "why"]);
/** The first speaks until it is ended, the second another protocol. */
const NO_JSON = new Set(["serve", "mcp", "acp"]);

async function safely(args: string[]): Promise<void> {
  const { out, err } = await program.parley(args);
  const where = args.map((arg) => arg.slice(0, 20)).join(" ");
  expectSafe(out + err, where);
  if (!args.includes("--json")) return;
  for (const line of (out + err).split("\n").filter(Boolean)) expect([where, isJson(line)]).toEqual([where, true]);
}

test("[HO34] every command has a case here", async () => {
  expect(Object.keys(CASES).toSorted()).toEqual(COMMANDS.map(({ name }) => name).toSorted());
});

describe.each(Object.keys(CASES).filter((name) => typeof CASES[name] !== "string"))("%s", (name) => {
  const { once = [], each = () => [] } = CASES[name] as Case;
  test("[HO35] prints nothing that acts, in words and in JSON, whatever stands in the inbox", async () => {
    const ids = SHOWS_ALL.has(name) ? horrors.ids : horrors.ids.slice(0, 1);
    const commands = [...once, ...ids.flatMap(each), [name, "--nope", ALL_ARGUMENT]];
    for (const args of commands)
      await Promise.all([
        safely(args),
        ...(NO_JSON.has(name) || args.includes("--ids") || name === "complete" ? [] : [safely([...args, "--json"])]),
      ]);
  });
});
test("[HO36] a file that a command writes holds nothing that acts, and is what it claims to be", async () => {
  const file = join(program.user, "report.json");
  for (const id of horrors.ids.slice(0, 8)) {
    for (const more of [[], ["--with-text"]]) {
      expect((await program.parley(["bug-report", id, "--out", file, ...more])).code).toBe(0);
      const text = await Bun.file(file).text();
      expectSafe(text, "bug-report");
      expect(isJson(text)).toBe(true);
    }
  }
});

test("[HO37] on a terminal there are only the program's own colours", async () => {
  const [first = ""] = horrors.ids;
  for (const args of [["ls", "--all"], ["show", first], ["why", first], ["log"], ["logs"], ["status"], ["decisions"]]) {
    const { text } = await onTerminal(program, args, { columns: 60 });
    expectSafe(withoutColours(text), args.join(" "));
  }
  const review = await onTerminal(program, ["review"], { script: '(yes s | head -60) | "$@"; true' });
  expectSafe(withoutColours(review.text).replaceAll("\u001b[H\u001b[2J", "").replaceAll("\r", ""), "review");
});

test("[HO38] what the hook hands to the agent is JSON without a raw character that acts, and says exactly what was picked", async () => {
  const answers = HOSTILE_QUESTIONS.map(() => ({ picks: [1] }));
  await program.client().call("settleAsk", { id: horrors.held.id, body: { action: "answer", answers } });
  const printed = await horrors.held.output;
  expectSafe(printed, "hook");
  const { updatedInput } = JSON.parse(printed).hookSpecificOutput.decision;
  expect(updatedInput.answers).toMatchObject({ [`Q ${ALL}?`]: `L2 ${ALL}` });
  expect(updatedInput.questions).toEqual(JSON.parse(JSON.stringify(HOSTILE_QUESTIONS)));
});

test("[HO39] the daemon's log is one safe JSON object a line, at its most talkative", async () => {
  const text = await Bun.file(program.paths.log).text();
  expectSafe(text, "daemon.log");
  const lines = text.split("\n").filter(Boolean);
  expect(lines.length).toBeGreaterThan(50);
  expect(lines.filter((line) => !isJson(line))).toEqual([]);
  for (const args of [["restart"], ["down"], ["down", "--json"], ["ls"], ["ls", "--json"], ["status"]])
    await safely(args);
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
