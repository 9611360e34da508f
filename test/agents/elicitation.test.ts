import { expect } from "bun:test";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AskView } from "../../src/protocol/view.ts";
import { guardOver } from "../patience.ts";
import { eachVersion, openStage, type Stage } from "./stage.ts";

const form = (properties: object, required: string[] = [], more: object = {}) => ({
  request: { message: "Some facts, please", requestedSchema: { type: "object", properties, required }, ...more },
});
const all = form(
  {
    name: { type: "string", title: "Name", minLength: 2, maxLength: 10, default: "abc" },
    email: { type: "string", format: "email" },
    count: { type: "integer", minimum: 1, maximum: 5 },
    deploy: { type: "boolean", default: true },
    db: { type: "string", enum: ["pg", "lite"], enumNames: ["Postgres", "SQLite"] },
    features: {
      type: "array",
      items: {
        anyOf: [
          { const: "a", title: "Auth" },
          { const: "s", title: "Search" },
        ],
      },
    },
  },
  ["name", "db"],
);
const password = form({ password: { type: "string" } }, ["password"]);
const address = { request: { mode: "url", message: "Sign in", url: "http://127.0.0.1:9/x", elicitationId: "e1" } };
const pattern = form({ code: { type: "string", pattern: "^[A-Z]+$" } });
const said = form({ nick: { type: "string" } }, ["nick"]);
const inputs = { form: all, declined: all, secret: { ...password, quiet: true }, address, pattern, said, later: said };
const script = Object.fromEntries(
  Object.entries(inputs).map(([name, input]) => [name, [{ tool: "mcp__lab__ask", id: `toolu_${name}`, input }]]),
);

async function open(version: string, config = "") {
  const prepare = ({ home }: { home: string }) => {
    const file = join(home, ".claude.json");
    const state = JSON.parse(readFileSync(file, "utf8")) as object;
    const server = { command: process.execPath, args: [join(import.meta.dir, "eliciting-server.ts")] };
    writeFileSync(file, JSON.stringify({ ...state, mcpServers: { lab: { type: "stdio", ...server } } }));
    mkdirSync(join(home, ".config/parley"), { recursive: true });
    writeFileSync(join(home, ".config/parley/config.toml"), config);
  };
  const settings = { permissions: { allow: ["mcp__lab__ask"] } };
  return openStage({ version, script, settings, prepare });
}
async function asks(stage: Stage, name: string): Promise<AskView> {
  await stage.claude.prompt(`SCENARIO:${name}`);
  return stage.find(({ kind, reachable, outcome }) => kind === "elicitation" && reachable && !outcome);
}
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

eachVersion("a server's form", ({ version, it, rest }) => {
  it("[EL10] what an MCP server asks for is a form, checked by its schema, and reaches it as typed", async () => {
    await using stage = await open(version);
    const ask = await asks(stage, "form");
    expect(ask).toMatchObject({ kind: "elicitation", title: "lab asks: Some facts, please" });
    const wrong = await stage.answer(ask.id, "--field", "db=oracle", "--field", "count=9", "--field", "email=x");
    expect(wrong).toMatchObject({
      code: 2,
      err: `✗ 3 problems\n  q2: Not an e-mail address\n  q3: At most 5\n  q5: db has no "oracle"; it has "Postgres", "SQLite"\n`,
    });
    const given = ["db=lite", "count=3", "features=a,Search"].flatMap((field) => ["--field", field]);
    const told = await stage.answer(ask.id, ...given);
    expect(told.out).toStartWith(
      '✓ Claude Code received "Name: abc; count: 3; deploy: Yes; db: SQLite; features: Auth, Search"',
    );
    expect((await stage.received("form")).text).toBe(
      `SERVER GOT ${JSON.stringify({
        action: "accept",
        content: { name: "abc", count: 3, deploy: true, db: "lite", features: ["a", "s"] },
      })}`,
    );
  });

  rest("[EL11] a form is declined, an address accepted, and words that would be lost are refused", async () => {
    await using stage = await open(version);
    const declined = await asks(stage, "declined");
    expect((await stage.answer(declined.id, "--decline", "-m", "no")).code).toBe(2);
    expect((await stage.answer(declined.id, "--chat", "why?")).code).toBe(2);
    expect((await stage.answer(declined.id, "--decline")).out).toStartWith("✓ Claude Code received");
    expect((await stage.received("declined")).text).toBe('SERVER GOT {"action":"decline"}');
    // 2.1.197 offers its servers no addresses.
    if (version === "2.1.197") return;
    const url = await asks(stage, "address");
    expect(url.questions[0]?.body).toBe("http://127.0.0.1:9/x");
    expect((await stage.answer(url.id, "1")).out).toStartWith('✓ Claude Code received "Accept"');
    expect((await stage.received("address")).text).toBe('SERVER GOT {"action":"accept"}');
  });

  it("[EL12] a secret reaches the server, and is in no list, event, log, draft or file of Parley's", async () => {
    await using stage = await open(version);
    const ask = await asks(stage, "secret");
    const client = stage.program.client("human");
    const draft = { current: 0, entries: [{ picks: [], other: true, text: "hunter2", note: "" }] };
    await client.call("putDraft", { id: ask.id, body: { draft, by: "web" } });
    const told = await stage.program.parley(["answer", ask.id, "--field", "password=-"], { stdin: "hunter2\n" });
    expect(told.out).toContain('"(secret)"');
    const result = { action: "accept", content: { password: "hunter2" } };
    const digest = createHash("sha256").update(JSON.stringify(result)).digest("hex");
    expect((await stage.received("secret")).text).toBe(`SERVER GOT ${digest}`);
    await stage.becomes(ask.id, ({ state }) => state === "verified");
    const shown = await stage.program.parley(["show", ask.id, "--json"]);
    const listed = await stage.program.parley(["ls", "--all", "--json"]);
    expect(`${shown.out}${listed.out}`).not.toContain("hunter2");
    const files = filesIn(stage.program.home);
    expect(files.length).toBeGreaterThan(2);
    expect(files.filter((file) => readFileSync(file, "latin1").includes("hunter2"))).toEqual([]);
  });

  rest(
    "[EL13] nobody comes: its own dialog opens, what is said there ends the question, and a form it cannot check is left to it",
    async () => {
      await using stage = await open(version, "hold.elicitation_seconds = 1\n");
      const { tmux } = stage.claude;
      const ask = await asks(stage, "said");
      await tmux.waitFor((screen) => screen.includes("requests your input"));
      const late = await stage.answer(ask.id, "--field", "nick=ada");
      expect(late.err).toStartWith("✗ Only the agent's own terminal can answer this");
      await guardOver();
      await tmux.type("Ada");
      await tmux.waitFor((screen) => screen.includes("Ada"));
      await tmux.keys("Down");
      await tmux.waitFor((screen) => screen.includes("❯ Accept"));
      await guardOver();
      await tmux.keys("Enter");
      expect((await stage.received("said")).text).toBe('SERVER GOT {"action":"accept","content":{"nick":"Ada"}}');
      const ended = await stage.becomes(ask.id, ({ state }) => state === "closed");
      expect(ended.sentence).toBe("✓ answered in the terminal: Ada");

      await stage.claude.prompt("SCENARIO:pattern");
      await tmux.waitFor((screen) => screen.includes("code:"));
      await tmux.keys("Escape");
    },
  );
});
