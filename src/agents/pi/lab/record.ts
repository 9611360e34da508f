// Records what the end inside a real pi says and what pi writes into its session file:
// `bun src/agents/pi/lab/record.ts <program> <version>` → ../fixtures/<version>/{events,session}.jsonl
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createScriptedModel, type Say } from "../../../lab/model.ts";
import { poll } from "../../../lab/poll.ts";
import { extensionFor } from "../install.ts";
import { createPiLab } from "./pi-lab.ts";
import { waitForInput, waitForQuestion } from "./screen.ts";

type Told = { type: string; name?: string };
type Case = { name: string; tool: string; input: Record<string, unknown>; answer?: object; keys?: string };
const [given = "", version = ""] = process.argv.slice(2);
const program = resolve(given);
const database = { title: "Which database should I use?", options: ["PostgreSQL", "SQLite, embedded"] };
const CASES: Case[] = [
  { name: "outside", tool: "ask_select", input: database, answer: { pick: 1 } },
  { name: "terminal", tool: "ask_select", input: database, keys: "Enter" },
  { name: "escape", tool: "ask_select", input: database, keys: "Escape" },
  { name: "confirm", tool: "ask_confirm", input: { title: "Deploy?", message: "Now?" }, answer: { pick: 1 } },
  {
    name: "input",
    tool: "ask_input",
    input: { title: "Project name?", placeholder: "acme" },
    answer: { text: "a, b" },
  },
  { name: "declined", tool: "ask_select", input: database, answer: { none: true, say: "Read docs/db.md first." } },
];
const script: Record<string, Say[]> = Object.fromEntries(
  CASES.map(({ name, tool, input }) => [name, [{ text: "Let me ask." }, { tool, id: `call_${name}`, input }]]),
);

const events: Told[] = [];
const model = createScriptedModel({ script });
let toPi: ReadableStreamDefaultController<string> | undefined;
let home = "";
/** As much of a daemon as pi's end needs. */
let daemon: ReturnType<typeof Bun.serve> | undefined;
const lab = await createPiLab({
  program,
  model,
  prepare(dirs) {
    ({ home } = dirs);
    const socket = join(home, "daemon.sock");
    daemon = Bun.serve({
      unix: socket,
      async fetch(request) {
        if (new URL(request.url).pathname === "/hook/link")
          return new Response(
            new ReadableStream<string>({
              start(controller) {
                toPi = controller;
                controller.enqueue('{"link":"one"}\n');
              },
            }),
          );
        const body = (await request.json()) as { events?: { event: Told }[] };
        events.push(...(body.events ?? []).map(({ event }) => event));
        return Response.json({});
      },
    });
    writeFileSync(join(home, "daemon.json"), JSON.stringify({ socket, tokens: { agent: "none" } }));
    writeFileSync(join(dirs.agent, "extensions/parley.js"), extensionFor(join(home, "bin/parley")));
    return Promise.resolve();
  },
});
try {
  for (const [id, { name, input, answer, keys }] of CASES.entries()) {
    const said = (type: string) => () =>
      events.find((event) => event.type === type && event.name === `call_${name}`) && true;
    await lab.prompt(`SCENARIO:${name} please`);
    await waitForQuestion(lab.tmux, String(input["title"]));
    await poll(said("asked"), { failure: () => `${name} was not asked` });
    if (answer) toPi?.enqueue(`${JSON.stringify({ id, method: "POST", path: `call_${name}`, body: answer })}\n`);
    if (keys) await lab.tmux.keys(keys);
    await poll(said("ended"), { failure: () => `${name} did not end` });
    await waitForInput(lab.tmux);
  }
  const sessions = join(lab.agent, "sessions");
  const file = readdirSync(sessions, { recursive: true, encoding: "utf8" }).find((each) => each.endsWith(".jsonl"));
  const folder = join(import.meta.dir, "../fixtures", version);
  mkdirSync(folder, { recursive: true });
  const named = home.replaceAll("/", "-").slice(1);
  const clean = (text: string) => text.replaceAll(home, "/home/you").replaceAll(named, "home-you");
  writeFileSync(join(folder, "events.jsonl"), clean(events.map((event) => `${JSON.stringify(event)}\n`).join("")));
  writeFileSync(join(folder, "session.jsonl"), clean(readFileSync(join(sessions, file ?? ""), "utf8")));
  console.log(`${events.length} events: ${folder}`);
} finally {
  await lab.close();
  await daemon?.stop(true);
  await model.close();
}
