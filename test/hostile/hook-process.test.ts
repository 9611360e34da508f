import { afterAll, beforeAll, expect, test } from "bun:test";
import { command, agentEnv } from "../e2e/hook-stage.ts";
import { payloadsOf, recording } from "../recorded.ts";
import { ALL, TEXTS } from "./corpus.ts";
import { PATIENCE_MS } from "./fuzz.ts";
import { createTarget, type Target } from "./target.ts";

let target: Target;
beforeAll(async () => {
  target = await createTarget();
});
afterAll(() => target[Symbol.asyncDispose]());

const [real = { hook_event_name: "" }] = payloadsOf(recording("2.1.325", "single-select"), "PermissionRequest");
const text = JSON.stringify(real);
const deep = `${"[".repeat(150_000)}${"]".repeat(150_000)}`;

/** As Claude Code starts it, with bytes of any kind on its input. */
async function run(event: string, input: string | Uint8Array) {
  const child = Bun.spawn(["/bin/sh", "-c", command(target.program, event)], {
    cwd: target.program.user,
    env: { ...agentEnv(target.program), TMUX: ALL.replaceAll("\0", ""), TMUX_PANE: "%1\u001b" },
    stdio: [Buffer.from(input as string), "pipe", "pipe"],
  });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, out, err };
}

test(
  "[HO61] a hook with anything on its input ends silently, and does not keep its agent waiting",
  async () => {
    const inputs: (string | Uint8Array)[] = [
      "",
      "null",
      "[]",
      '"text"',
      "{}",
      text.slice(0, -20),
      `${text}${text}`,
      ALL,
      Buffer.from([0xff, 0xfe, 0x7b, 0x7d]),
      Buffer.concat([Buffer.from(text.slice(0, 100)), Buffer.from([0, 0xc3, 0x28])]),
      JSON.stringify({ ...real, tool_input: { questions: "x".repeat(2 * 1024 * 1024) } }),
      text.replace('"tool_input":{', `"tool_input":{"deep":${deep},`),
      text.replace('"tool_input":{', `"tool_input":{"many":[${"0,".repeat(200_000)}0],`),
      ...TEXTS.map((odd) => JSON.stringify({ ...real, hook_event_name: odd, session_id: odd })),
    ];
    // The event that waits for an answer: only what was refused comes back at once.
    for (const input of inputs)
      expect([input.slice(0, 40), await run("PermissionRequest", input)]).toEqual([
        input.slice(0, 40),
        { code: 0, out: "", err: "" },
      ]);
    await target.stands();
  },
  PATIENCE_MS,
);
