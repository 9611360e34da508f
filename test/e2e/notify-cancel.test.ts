import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { approvalChoices } from "../../src/agents/claude-code/call/approval.ts";
import { offerCancel } from "../../src/core/task/task-cancel.ts";
import { database } from "../sample.ts";
import { createReceiver, createStage, type Receiver } from "./notify-stage.ts";
import { createTaskStage, DATABASE, isWaiting, type TaskStage } from "./tasks-stage.ts";

const settings = ({ url }: Receiver) => `[notify]
after_seconds = 0
link_base = "https://me.example.net"
link_port = 0
buttons_for_approvals = true
[notify.ntfy]
url = "${url}/topic"
[notify.webhook]
url = "${url}/hook"
secret = "0123456789abcdef"
`;
const TASK = { agent: "claude-code", project: "shop", task: "t" };
const labels = (of: unknown) => (of as { label: string }[]).map(({ label }) => label);

/** What the phone and the webhook were sent. */
async function sent(receiver: Receiver) {
  const requests = await receiver.first(2);
  const ntfy = requests.find(({ path }) => path === "/")?.json ?? {};
  const hook = requests.find(({ path }) => path === "/hook")?.json as { ask: { questions: { options: unknown }[] } };
  return {
    message: String(ntfy["message"]),
    actions: labels(ntfy["actions"]),
    options: hook.ask.questions[0]?.options,
  };
}

describe("a notification", () => {
  test("[SF36] of a task's question has neither a button nor a link for Cancel, nor a word of it", async () => {
    await using receiver = createReceiver();
    await using stage = createStage();
    stage.config(settings(receiver));
    await stage.ask({ questions: offerCancel([database]), origin: TASK });
    const { message, actions, options } = await sent(receiver);
    expect(actions).toEqual(["SQLite", "Postgres"]);
    expect(labels(options)).toEqual(["SQLite", "Postgres"]);
    expect(message).not.toContain("Cancel");
    for (const option of options as { link?: string }[]) expect(option.link).toMatch(/\/act\//);
  });

  test("[SF36] nor has one of a permission prompt, also where people want buttons for them", async () => {
    await using receiver = createReceiver();
    await using stage = createStage();
    stage.config(settings(receiver));
    const options = approvalChoices({} as never).map(({ option }) => option);
    await stage.ask({ kind: "approval", questions: [{ ...database, options }] });
    const found = await sent(receiver);
    expect(found.actions).toEqual(["Approve", "Deny"]);
    expect(labels(found.options)).toEqual(["Approve", "Deny"]);
  });

  test("[SF37] a link for it, of an earlier version, is refused and answers nothing", async () => {
    await using receiver = createReceiver();
    await using stage = createStage();
    stage.config(settings(receiver));
    const ask = await stage.ask({ questions: offerCancel([database]), origin: TASK });
    await sent(receiver);
    const code = "c".repeat(43);
    const ledger = new Database(join(stage.home, "notify.db"));
    const at = stage.clock.now + 60_000;
    ledger.run("INSERT INTO links (hash, ask, option, expires_at) VALUES (?, ?, ?, ?)", [digest(code), ask.id, 2, at]);
    ledger.close();
    const { links } = await stage.notifications.test("desktop");
    const response = await fetch(`http://127.0.0.1:${links.port}/act/${code}`, {
      method: "POST",
      headers: { host: "me.example.net" },
    });
    expect([response.status, await response.text()]).toEqual([
      403,
      "This question is not answered with a link. See your inbox.\n",
    ]);
    expect((await stage.store.ask(ask.id))?.outcome).toBeUndefined();
  });
});

describe("of a real task", () => {
  let stage: TaskStage;
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = createReceiver();
    stage = await createTaskStage();
    writeFileSync(join(stage.root, "config.toml"), `[tasks]\npark_after_seconds = 86400\n${settings(receiver)}`);
  });
  afterAll(async () => {
    await stage.dispose();
    await receiver[Symbol.asyncDispose]();
  });

  test("[SF36] the phone gets the two options of its question", async () => {
    const { id } = await stage.run([{ ask: [DATABASE] }], "--name", "phone");
    await stage.becomes(id, isWaiting);
    const { actions, message } = await sent(receiver);
    expect(actions).toEqual(["SQLite", "Postgres"]);
    expect(message).not.toContain("Cancel");
  });
});

const digest = (code: string) => createHash("sha256").update(code).digest("hex");
