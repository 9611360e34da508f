import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPilot, stateIs } from "./autopilot-stage.ts";
import { createSession, ended } from "./hook-stage.ts";
import { holds } from "./program.ts";

test("[AU80] a decider that goes on living hears at once that the agent received something else", async () => {
  const told: { message: string; key: string | null }[] = [];
  using gateway = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { message } = (await request.json()) as { message: string };
      told.push({ message, key: request.headers.get("idempotency-key") });
      return Response.json({ ok: true });
    },
  });
  const pilot = createPilot("");
  try {
    const key = join(pilot.program.root, "key");
    writeFileSync(key, "secret-token", { mode: 0o600 });
    pilot.configure(
      `[autopilot]\nmode = "on"\nundo_seconds = 0\n[[autopilot.rules]]\nname = "ask"\nbrain = "b"\n` +
        `[autopilot.brains.b]\ntype = "openclaw"\nurl = "${gateway.url.origin}"\nkey_file = "${key}"\n`,
    );
    await pilot.program.start();
    const session = createSession(pilot.program, "answered-by-hook");
    await session.tell("PreToolUse");
    const dialog = session.fire("PermissionRequest");
    const { id } = await session.ask(stateIs("asking"));
    const actions = JSON.stringify([{ action: "select", optionIndex: 0 }]);
    expect(await pilot.program.parley(["answer", id, "--actions", actions])).toMatchObject({ err: "" });
    expect((await ended(dialog)).out).toContain('"Option A"');
    // Its record says that it was "Option B".
    session.write();
    await session.tell("PostToolUse");
    await session.ask(({ state }) => state === "mismatched");
    const corrections = () => told.filter(({ message }) => message.includes("Verification — MISMATCH"));
    expect(await holds(() => corrections().length > 0)).toBe(true);
    expect(corrections()).toEqual([
      { message: expect.stringMatching(/option 0 \(Option A\).*received:\*\* Option B/), key: `parley-mismatch-${id}` },
    ]);
  } finally {
    await pilot.dispose();
  }
});
