import { expect } from "bun:test";
import type { Browser } from "playwright-core";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AskView } from "../../src/protocol/view.ts";
import type { Say } from "../../src/lab/model.ts";
import { poll } from "../../src/lab/poll.ts";
import { holds, type Program } from "../e2e/program.ts";
import { UNTIL_RECEIVED } from "../patience.ts";
import { guardOver, onScreen } from "../terminal/inbox-stage.ts";
import { createWeb, launch, ready } from "../web/browser.ts";
import { type Case } from "./each-version.ts";
import { eachVersion, openStage, question, type Stage } from "./stage.ts";
import { switchTo } from "./switch-mode.ts";
import { openSurfaces, type Surface } from "./surfaces.ts";
import { openTaskStage } from "./task-stage.ts";

const ALL: Surface[] = ["shell", "terminal", "inbox", "popup", "page", "link"];
const PLAN = "# The plan\n\n1. Write the parser";
type Kind = "question" | "command" | "edit" | "write" | "fetch" | "mcp" | "plan" | "subagent";
type Row = {
  title: string;
  mode: "default" | "acceptEdits" | "plan" | "auto" | "bypassPermissions";
  kind: Kind;
  deny?: true;
  mustAsk?: true;
  surfaces?: Surface[];
};

const ROWS: Row[] = [
  { title: "[RC1] in mode default: a command is answered in every place", mode: "default", kind: "command" },
  { title: "[RC2] in mode default: a question is answered in every place", mode: "default", kind: "question" },
  { title: "[RC3] in mode default: an edit is answered in every place", mode: "default", kind: "edit" },
  { title: "[RC4] in mode default: a new file is answered in every place", mode: "default", kind: "write" },
  { title: "[RC5] in mode default: a fetch is answered in every place", mode: "default", kind: "fetch" },
  { title: "[RC6] in mode default: an MCP tool is answered in every place", mode: "default", kind: "mcp" },
  {
    title: "[RC7] in mode default: a command in a subagent is answered in every place",
    mode: "default",
    kind: "subagent",
  },
  // Denied in its terminal it waits for other words: that comes last.
  {
    title: "[RC8] in mode default: a command, denied, is answered in every place",
    mode: "default",
    kind: "command",
    deny: true,
    surfaces: [...ALL.filter((at) => at !== "terminal"), "terminal"],
  },
  { title: "[RC9] in mode acceptEdits: a question is answered in every place", mode: "acceptEdits", kind: "question" },
  { title: "[RC10] in mode acceptEdits: a command is answered in every place", mode: "acceptEdits", kind: "command" },
  { title: "[RC11] in mode acceptEdits: a fetch is answered in every place", mode: "acceptEdits", kind: "fetch" },
  { title: "[RC12] in mode acceptEdits: an MCP tool is answered in every place", mode: "acceptEdits", kind: "mcp" },
  { title: "[RC13] in mode plan: a question is answered in every place", mode: "plan", kind: "question" },
  { title: "[RC14] in mode plan: a plan is answered in every place", mode: "plan", kind: "plan" },
  { title: "[RC15] in mode plan: a command is answered in every place", mode: "plan", kind: "command" },
  { title: "[RC16] in mode auto: a question is answered in every place", mode: "auto", kind: "question" },
  {
    title: "[RC17] in mode auto: a command that must be asked is answered in every place",
    mode: "auto",
    kind: "command",
    mustAsk: true,
  },
  {
    title: "[RC18] in mode bypassPermissions: a question is answered in every place",
    mode: "bypassPermissions",
    kind: "question",
  },
  {
    title: "[RC19] in mode bypassPermissions: a command that must be asked is answered in every place",
    mode: "bypassPermissions",
    kind: "command",
    mustAsk: true,
  },
];

/** What the model does for one cell; `surface` is in all names, so that each call is another one. */
function says(kind: Kind, surface: Surface): Record<string, Say[]> {
  const id = `toolu_${surface}`;
  // Not one of the programs that a mode lets pass without asking.
  const command = {
    tool: "Bash",
    id,
    input: { command: `sh -c 'echo made > ${surface}.txt'`, description: "make it" },
  };
  const calls: Record<Kind, Say> = {
    question: {
      tool: "AskUserQuestion",
      id,
      input: { questions: [question(`Which way, ${surface}?`, ["Left", "Right"])] },
    },
    command,
    edit: { tool: "Edit", id, input: { file_path: "README.md", old_string: "# A", new_string: `# A ${surface}` } },
    write: { tool: "Write", id, input: { file_path: `${surface}.txt`, content: "made\n" } },
    fetch: { tool: "WebFetch", id, input: { url: `http://127.0.0.1:9/${surface}`, prompt: "What is there?" } },
    mcp: { tool: "mcp__lab__ask", id, input: { about: surface } },
    plan: { tool: "ExitPlanMode", id, input: { plan: PLAN } },
    subagent: {
      tool: "Agent",
      id: `${id}_agent`,
      input: { description: "do it", prompt: `please do SCENARIO:in${surface}`, subagent_type: "general-purpose" },
    },
  };
  // It edits only what it has read.
  const before: Say[] = kind === "edit" ? [{ tool: "Read", id: `${id}_read`, input: { file_path: "README.md" } }] : [];
  return { [surface]: [{ text: `For ${surface}.` }, ...before, calls[kind]], [`in${surface}`]: [command] };
}

async function plays(version: string, { mode, kind, deny, mustAsk, surfaces = ALL }: Row): Promise<void> {
  await using places = await openSurfaces();
  const must = mustAsk ? 'approvals.must_ask = ["sh ..."]\n' : "";
  await using stage = await openStage({
    version,
    script: Object.assign({}, ...surfaces.map((surface) => says(kind, surface))) as Record<string, Say[]>,
    permissionMode: mode,
    settings: {
      skipDangerousModePermissionPrompt: true,
      skipWebFetchPreflight: true,
      // Else plan mode lets a check on the server decide, and its own dialog calls no hook where there is none.
      ...(mode === "plan" && kind === "command" && { disableAutoMode: "disable" }),
    },
    ...(mustAsk && { setup: ["--must-ask"] }),
    prepare({ home }) {
      mkdirSync(join(home, ".config/parley"), { recursive: true });
      writeFileSync(join(home, ".config/parley/config.toml"), must + places.config);
      const file = join(home, ".claude.json");
      const server = { type: "stdio", command: process.execPath, args: [join(import.meta.dir, "eliciting-server.ts")] };
      const state = JSON.parse(readFileSync(file, "utf8")) as object;
      writeFileSync(file, JSON.stringify({ ...state, mcpServers: { lab: server } }));
    },
  });
  const { program, claude } = stage;
  await program.start({ HOME: claude.home });
  const at = places.at({ program, tmux: claude.tmux });
  for (const surface of surfaces) {
    if (mode === "plan") await switchTo(stage, "plan mode");
    if (kind === "plan") await writePlan(stage);
    await claude.prompt(`SCENARIO:${surface}`);
    const ask = await stage.find((found) => found.reachable && !found.outcome);
    expect([ask.origin.mode, ask.kind]).toEqual([mode, kind === "question" || kind === "plan" ? kind : "approval"]);
    await at[surface](ask, pickIn(ask, deny ?? false));
    await isThere(stage, ask, surface, deny ?? false);
    // Denied there, its turn is over: the model hears of it with the next prompt.
    if (deny && surface === "terminal") continue;
    const { text, isError } = await stage.received(surface);
    // Nothing is at that address: what it says then is the proof that it went there.
    expect([surface, kind === "fetch" ? /ECONNREFUSED|refused/i.test(text) : isError, text]).toEqual([
      surface,
      kind === "fetch" || (deny ?? false),
      text,
    ]);
    await claude.tmux.waitFor((screen) => !screen.includes("esc to interrupt"));
  }
}

const pickIn = ({ kind, questions }: AskView, deny: boolean) =>
  kind === "question"
    ? 1
    : (questions[0]?.options.findIndex(({ effect }) => effect === (deny ? "deny" : "allow")) ?? 0);

const SAID: Record<Surface, string> = {
  shell: "cli",
  inbox: "inbox",
  popup: "popup",
  page: "web",
  link: "link",
  terminal: "terminal",
};

/** Proven by the agent's own record, and settled where it was. */
async function isThere(stage: Stage, { id }: AskView, surface: Surface, deny: boolean): Promise<void> {
  const ended = surface === "terminal" ? "closed" : "verified";
  const { outcome } = await stage.becomes(id, ({ state }) => state === ended);
  expect(outcome).toMatchObject({
    type: surface !== "terminal" ? "answered" : deny ? "declined" : "answered-elsewhere",
    actor: { ...(surface !== "terminal" && { type: "person" }), surface: SAID[surface] },
  });
}

eachVersion("the matrix of approvals", ({ version, once, rest }) => {
  for (const row of ROWS) {
    const play: Case = row.title.startsWith("[RC1] ") ? once : rest;
    play(row.title, () => plays(version, row));
  }

  rest(
    "[RC27] in plan mode with auto mode on, a command that cannot be checked opens a dialog without a hook: its terminal alone decides",
    async () => {
      await using stage = await openStage({ version, script: says("command", "terminal"), permissionMode: "plan" });
      const { claude, program } = stage;
      await claude.prompt("SCENARIO:terminal");
      await claude.tmux.waitFor(/Do you want to proceed\?[^]*Yes/);
      // 2.1.197 asks there as in any other mode.
      if (version === "2.1.197") {
        const ask = await stage.find((found) => found.reachable);
        expect((await stage.answer(ask.id, "1")).out).toContain("received");
        return;
      }
      await claude.tmux.keys("Escape");
      await claude.tmux.waitFor(/Interrupted/);
      const { asks } = await program.client().call("listAsks", { query: { state: "all" } });
      expect(asks.filter(({ kind }) => kind === "approval")).toEqual([]);
    },
  );

  rest(
    "[RC20] a command is changed in the inbox, in the popup and in the page, and what was made of it runs",
    async () => {
      await using browser = await launch();
      const places = ["inbox", "popup", "page"] as const;
      const script = Object.assign({}, ...places.map((place) => says("command", place))) as Record<string, Say[]>;
      await using stage = await openStage({ version, script });
      const { program, claude } = stage;
      for (const place of places) {
        await claude.prompt(`SCENARIO:${place}`);
        const ask = await stage.find((found) => found.reachable && !found.outcome);
        const changed = `sh -c 'echo changed > ${place}.txt'`;
        await CHANGES[place](program, browser, ask, changed);
        const { outcome } = await stage.becomes(ask.id, ({ state }) => state === "verified");
        expect(outcome).toMatchObject({ actor: { surface: SAID[place] }, changed: { text: changed } });
        await stage.received(place);
        expect(readFileSync(join(claude.project, `${place}.txt`), "utf8")).toBe("changed\n");
        await claude.tmux.waitFor((screen) => !screen.includes("esc to interrupt"));
      }
    },
  );

  rest("[RD3] a new file is changed in the inbox, in the popup and in the page, and is written so", async () => {
    await using browser = await launch();
    const places = ["inbox", "popup", "page"] as const;
    const script = Object.assign({}, ...places.map((place) => says("write", place))) as Record<string, Say[]>;
    await using stage = await openStage({ version, script });
    const { program, claude } = stage;
    const editor = join(claude.home, "editor");
    writeFileSync(editor, `#!/bin/sh\nsed -i s/made/changed/ "$1"\n`, { mode: 0o755 });
    for (const place of places) {
      await claude.prompt(`SCENARIO:${place}`);
      const ask = await stage.find((found) => found.reachable && !found.outcome);
      expect(ask.editable).toMatchObject({ what: "content", text: "made\n" });
      await WRITES[place](program, browser, ask, editor);
      const { outcome } = await stage.becomes(ask.id, ({ state }) => state === "verified");
      expect(outcome).toMatchObject({ actor: { surface: SAID[place] }, changed: { text: "changed\n" } });
      await stage.received(place);
      expect(readFileSync(join(claude.project, `${place}.txt`), "utf8")).toBe("changed\n");
      await claude.tmux.waitFor((screen) => !screen.includes("esc to interrupt"));
    }
  });

  for (const [title, mode, kinds] of [
    [
      "[RD4] in mode acceptEdits an edit and a new file are made, and nobody is asked",
      "acceptEdits",
      ["edit", "write"],
    ],
    ["[RD5] in mode auto a command that only reads runs, and nobody is asked", "auto", ["reading"]],
  ] as const)
    rest(title, () => goThrough(version, mode, kinds));

  for (const [kind, title] of [
    ["question", "[RC24] a task's question is answered in every place there is"],
    ["command", "[RC25] a task's command is allowed in every place there is"],
    ["plan", "[RC26] a task's plan is accepted in every place there is"],
  ] as const)
    rest(title, async () => {
      await using places = await openSurfaces();
      await using stage = await openTaskStage({ version, config: places.config });
      const at = places.at(stage);
      for (const place of ["shell", "inbox", "popup", "page", "link"] as const) {
        const { id: task } = await stage.run(
          says(kind, place)[place] ?? [],
          ...(kind === "plan" ? ["--permission-mode", "plan"] : []),
        );
        const ask = await stage.waits(task, kind === "command" ? "approval" : kind);
        await at[place](ask, pickIn(ask, false));
        const { outcome } = await poll(
          async () => [await stage.ask(ask.id)].find(({ state }) => state === "verified"),
          {
            failure: async () => JSON.stringify(await stage.ask(ask.id), null, 1),
          },
        );
        expect(outcome).toMatchObject({ type: "answered", actor: { type: "person", surface: SAID[place] } });
        expect((await stage.model.waitForToolResult(`toolu_${place}`)).isError).toBe(false);
        await stage.becomes(task, ({ state }) => state === "done");
      }
    });
});

/** Each call has its result in the agent's own record, its mode is seen on its screen, and Parley has never had an Ask. */
async function goThrough(version: string, mode: Row["mode"], kinds: readonly (Kind | "reading")[]): Promise<void> {
  const reading: Say[] = [
    { text: "I look." },
    { tool: "Bash", id: "toolu_reading", input: { command: "ls README.md", description: "look" } },
  ];
  const script = Object.fromEntries(
    kinds.map((kind) => [kind, kind === "reading" ? reading : (says(kind, "shell")["shell"] ?? [])]),
  );
  await using stage = await openStage({ version, script, permissionMode: mode });
  const { program, claude } = stage;
  for (const kind of kinds) {
    await claude.prompt(`SCENARIO:${kind}`);
    const { isError, text } = await stage.received(kind === "reading" ? kind : "shell");
    expect([kind, isError, text]).toEqual([kind, false, text]);
    await claude.tmux.waitFor((screen) => !screen.includes("esc to interrupt"));
  }
  await claude.tmux.waitFor(mode === "auto" ? /auto mode on/ : /accept edits on/);
  const { asks } = await program.client().call("listAsks", { query: { state: "all" } });
  expect(asks).toEqual([]);
}

/** How a file is changed in each place: in the person's editor, or on the page. */
const WRITES: Record<
  "inbox" | "popup" | "page",
  (program: Program, browser: Browser, ask: AskView, editor: string) => Promise<void>
> = {
  async inbox(program, _browser, _ask, editor) {
    await using inbox = onScreen(program, { columns: 110, rows: 40, env: { EDITOR: editor } });
    await inbox.shows(/\[Waiting 1\][^]*❯ /);
    await guardOver();
    inbox.press("\r");
    await inbox.shows("e: change it first");
    inbox.press("e");
    await inbox.shows(/✓ Claude Code received "Approve" with a changed content/);
  },
  async popup(program, _browser, _ask, editor) {
    const env = { ...UNTIL_RECEIVED, EDITOR: editor };
    await using popup = onScreen(program, { columns: 110, rows: 40, args: ["popup"], env });
    await popup.shows("e: change it first");
    await guardOver();
    popup.press("e");
    expect((await popup.ended()).screen).toContain('✓ Claude Code received "Approve" with a changed content');
  },
  async page(program, browser, ask) {
    await changeOnPage(program, browser, ask, { what: "content", text: "changed\n" });
  },
};

/** How a call is changed in each place; the receipt is seen there. */
const CHANGES: Record<
  "inbox" | "popup" | "page",
  (program: Program, browser: Browser, ask: AskView, changed: string) => Promise<void>
> = {
  async inbox(program, _browser, _ask, changed) {
    await using inbox = onScreen(program, { columns: 110, rows: 40 });
    await inbox.shows(/\[Waiting 1\][^]*❯ /);
    await guardOver();
    inbox.press("\r");
    await inbox.shows("e: change it first");
    inbox.press("e");
    await inbox.shows("Command: sh -c");
    inbox.press(`\x15${changed}\r`);
    await inbox.shows(/✓ Claude Code received "Approve" with a changed command/);
  },
  async popup(program, _browser, _ask, changed) {
    await using popup = onScreen(program, { columns: 110, rows: 40, args: ["popup"], env: UNTIL_RECEIVED });
    await popup.shows("e: change it first");
    popup.press("e");
    await popup.shows("Change the command; what you allow is what runs");
    await guardOver();
    popup.press(`\x15${changed}`);
    await popup.shows(changed);
    popup.press("\r");
    expect((await popup.ended()).screen).toContain('✓ Claude Code received "Approve" with a changed command');
  },
  async page(program, browser, ask, changed) {
    await changeOnPage(program, browser, ask, { what: "command", text: changed });
  },
};

async function changeOnPage(
  program: Program,
  browser: Browser,
  ask: AskView,
  { what, text }: { what: string; text: string },
): Promise<void> {
  await using web = await createWeb(browser, program);
  const page = await web.open();
  await page.evaluate(`location.hash = ${JSON.stringify(`#/ask/${ask.id}`)}`);
  await ready(page);
  await page.getByRole("button", { name: "Change it first" }).click();
  await page.getByRole("textbox", { name: new RegExp(`Change the ${what}`) }).fill(text);
  await page.getByRole("button", { name: "Approve as changed" }).click();
  await page.locator(".receipts", { hasText: `received "Approve" with a changed ${what}` }).waitFor();
  await page.evaluate(`location.hash = ${JSON.stringify(`#/ask/${ask.id}`)}`);
  const shown = page.getByRole("region", { name: "What was changed" });
  await shown.waitFor();
  expect(await shown.innerText()).toContain(`+${text.trimEnd()}`);
}

/** Claude Code names the file for its plan in what it tells the model, and takes the plan from there. */
async function writePlan({ claude, model }: Stage): Promise<void> {
  const file = () => /\/[^\s"'\\]+\/plans\/[^\s"'\\]+\.md/.exec(JSON.stringify(model.requests.at(-1) ?? {}))?.[0];
  await claude.prompt("hello");
  if (!(await holds(() => file() !== undefined))) throw new Error("no plan file is named");
  mkdirSync(dirname(file() ?? ""), { recursive: true });
  writeFileSync(file() ?? "", PLAN);
}
