import { expect } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createOpencodeServer, type OpencodeServer } from "../../src/agents/opencode/lab/serve.ts";
import { createScriptedModel } from "../../src/lab/model.ts";
import type { AskView } from "../../src/protocol/view.ts";
import { createProgram, type Program } from "../e2e/program.ts";
import { eventually, UNTIL_RECEIVED } from "../patience.ts";
import { eachOpencode, opencodeProgram, question } from "./opencode-stage.ts";

const TEXT = "Which database should I use?";
const input = { questions: [question(TEXT, ["PostgreSQL", "SQLite, embedded"])] };
const script = { ask: [{ text: "Let me ask." }, { tool: "question", id: "call_ask", input }] };

/** A session in which the model asks. */
async function asking(server: OpencodeServer): Promise<string> {
  const { id } = (await server.call("POST", "/session", {})).body as { id: string };
  const parts = [{ type: "text", text: "SCENARIO:ask please" }];
  await server.call("POST", `/session/${id}/prompt_async`, { parts });
  return id;
}

async function watch(program: Program, server: OpencodeServer) {
  const file = join(program.root, "password");
  writeFileSync(file, `${server.password}\n`, { mode: 0o600 });
  return program.parley(["watch", server.url, "--password-file", file]);
}

const asksOf = async (program: Program) =>
  (await program.client("human").call("listAsks", { query: { state: "all" } })).asks;
const becomes = (program: Program, ready: (ask: AskView) => boolean) =>
  eventually(async () => {
    const found = (await asksOf(program)).find(ready);
    if (!found) throw new Error(JSON.stringify(await asksOf(program), null, 1));
    return found;
  });

eachOpencode("a server", ({ version, it, rest }) => {
  const start = async () => {
    const model = createScriptedModel({ script });
    const server = await createOpencodeServer({ program: opencodeProgram(version), version, model });
    const program = createProgram();
    await program.start();
    return {
      model,
      server,
      program,
      async [Symbol.asyncDispose]() {
        await program.dispose();
        await server.close();
        await model[Symbol.asyncDispose]();
      },
    };
  };

  it("[OR11] is watched by its address, the password in a file; what it asks is answered, also after a restart of Parley", async () => {
    await using stage = await start();
    const { model, server, program } = stage;
    expect(await watch(program, server)).toMatchObject({
      code: 0,
      out: `✓ watching ${server.url}: opencode ${version}\n`,
    });
    await asking(server);
    await becomes(program, ({ reachable }) => reachable);
    await program.kill9();
    await program.start();
    const { id } = await becomes(program, ({ reachable }) => reachable);
    const said = await program.parley(["answer", id, "2"], { env: UNTIL_RECEIVED });
    expect(said.out).toContain("✓ opencode received");
    expect((await model.waitForToolResult("call_ask")).text).toContain(`"${TEXT}"="SQLite, embedded"`);
    expect((await program.parley(["watch"])).out).toContain(`${server.url}  connected to opencode ${version}`);
    expect((await program.parley(["watch", server.url, "--stop"])).out).toBe(`✓ ${server.url} is no longer watched\n`);
  });

  rest("[OR12] that is told to abort leaves a ghost behind in its list: Parley ends the question", async () => {
    await using stage = await start();
    const { server, program } = stage;
    await watch(program, server);
    const session = await asking(server);
    await becomes(program, ({ reachable }) => reachable);
    await server.call("POST", `/session/${session}/abort`, {});
    const { outcome } = await becomes(program, ({ state }) => state === "closed");
    expect(outcome?.type).toBe("withdrawn");
  });

  rest("[OR13] that dies takes its question with it: it is withdrawn", async () => {
    await using stage = await start();
    const { server, program } = stage;
    await watch(program, server);
    await asking(server);
    await becomes(program, ({ reachable }) => reachable);
    process.kill(server.pid, "SIGKILL");
    const { outcome } = await becomes(program, ({ state }) => state === "closed");
    expect(outcome).toMatchObject({ type: "withdrawn", reason: "agent-exited" });
  });
});
