import { expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../../../test/patience.ts";
import { pluginFor } from "./install.ts";

type Plugin = { event(given: { event: object }): Promise<void> };
type Start = (given: { client: object; directory: string }) => Promise<Plugin>;

/** The plugin as set-up writes it, with a program in the place of Parley's that only says that it was called. */
async function createStage() {
  const home = mkdtempSync(join(tmpdir(), "parley-plugin-"));
  const [program, said, stopped] = [join(home, "bin/parley"), join(home, "said"), join(home, "stopped")];
  mkdirSync(join(home, "bin"));
  const text = `#!/bin/sh\nif [ -e ${stopped} ]; then echo "although it was stopped"; else echo "$1"; fi >> ${said}\n`;
  writeFileSync(program, text, { mode: 0o755 });
  writeFileSync(join(home, "plugin.mjs"), pluginFor(program));
  const { Parley } = (await import(join(home, "plugin.mjs"))) as { Parley: Start };
  const nothing = () => Promise.resolve({ response: { status: 200 }, data: {} });
  const plugin = await Parley({ client: { _client: { get: nothing, post: nothing } }, directory: home });
  const tell = (type: string, properties: object = {}) => plugin.event({ event: { type, properties } });
  return {
    stopped,
    tell,
    said: () => (existsSync(said) ? readFileSync(said, "utf8").split("\n").filter(Boolean) : []),
    async [Symbol.asyncDispose]() {
      await tell("server.instance.disposed");
      rmSync(home, { recursive: true, force: true });
    },
  };
}

const ASKED = ["question.asked", { id: "q1", tool: { callID: "c1" } }] as const;
const DONE = ["message.part.updated", { part: { callID: "c1", state: { status: "completed" } } }] as const;

test("[LO5] who is asked while no daemon answers starts one, as a hook would; not when it is over, or Parley was stopped on purpose", async () => {
  await using stopped = await createStage();
  await using over = await createStage();
  await using busy = await createStage();
  writeFileSync(stopped.stopped, "");
  // Both at once: nothing is between them.
  await Promise.all([over.tell(...ASKED), over.tell(...DONE)]);
  for (const { tell } of [stopped, busy]) await tell(...ASKED);
  // Again and again, while none comes up.
  await eventually(() => expect(busy.said().length).toBeGreaterThan(1));
  rmSync(stopped.stopped);
  await eventually(() => expect(stopped.said()).not.toEqual([]));
  for (const { said } of [stopped, busy]) expect(new Set(said())).toEqual(new Set(["ls"]));
  expect(over.said()).toEqual([]);
});
