import { afterEach, beforeEach, expect, test } from "bun:test";
import { createProgram, holds, type Program } from "../e2e/program.ts";
import { ask, guardOver, onScreen, type Opened } from "./inbox-stage.ts";

let program: Program;
beforeEach(async () => {
  program = createProgram();
  await program.start();
});
afterEach(() => program.dispose());

const draftText = async (id: string) =>
  (await program.client().call("getDraft", { id })).draft?.entries[0]?.text ?? undefined;

/** Opens the dialog of the selected question and types into its own-words field. */
async function typeInto(inbox: Opened, words: string): Promise<void> {
  inbox.press("\r");
  await inbox.shows("3. Other");
  await guardOver();
  inbox.press("\u001b[B\u001b[B");
  await inbox.shows("❯ ( ) 3. Other");
  inbox.press("\r");
  await inbox.shows("Enter your answer:");
  inbox.press(words);
  await inbox.shows(words);
}

test("[IN42] what was typed survives kill -9 of the inbox and is offered on reopening; a new Ask starts clean", async () => {
  const { id } = await ask(program, { text: "First?" });
  await ask(program, { text: "Second?" });
  await using inbox = onScreen(program);
  await inbox.shows("❯ First?");
  await typeInto(inbox, "my half answer");
  expect(await holds(async () => (await draftText(id)) === "my half answer")).toBe(true);
  inbox.child.kill("SIGKILL");
  await inbox.child.exited;

  await using again = onScreen(program);
  await again.shows("❯ First?");
  again.press("\r");
  await again.shows("“my half answer”");
  await guardOver();
  again.press("\u001b");
  await again.shows(/^(?![^]*3\. Other)/);
  again.press("j\r");
  const clean = await again.shows(/Second\?[^]*3\. Other/);
  expect(clean).not.toContain("my half answer");
});

test.each(["SIGTERM", "SIGHUP"] as const)("[IN43] %s saves what was typed to the last key", async (signal) => {
  const { id } = await ask(program, { text: "First?" });
  await using inbox = onScreen(program);
  await inbox.shows("❯ First?");
  await typeInto(inbox, "up to the last key");
  inbox.child.kill(signal);
  await inbox.ended();
  expect(await draftText(id)).toBe("up to the last key");
});

test("[IN43] so does a terminal that is closed", async () => {
  const { id } = await ask(program, { text: "First?" });
  await using inbox = onScreen(program);
  await inbox.shows("❯ First?");
  await typeInto(inbox, "up to the last key");
  inbox.child.terminal?.close();
  await inbox.child.exited;
  expect(await draftText(id)).toBe("up to the last key");
});

test("[IN44] when somebody else is first the open dialog says who, and what was typed is kept", async () => {
  const { id } = await ask(program, { text: "First?" });
  await using inbox = onScreen(program);
  await inbox.shows("❯ First?");
  await typeInto(inbox, "too slow");
  const body = { action: "answer" as const, answers: [{ picks: [1] }], surface: "web" };
  await program.client().call("settleAsk", { id, body });
  await inbox.shows(/│ +answered by web .* ago: No[^]*any key: close/);
  await guardOver();
  inbox.press("x");
  await inbox.shows("[Waiting 0]");
  expect(await holds(async () => (await draftText(id)) === "too slow")).toBe(true);
  expect(await program.client().call("getAsk", { id })).toMatchObject({ outcome: { answers: [{ picks: [1] }] } });
});

test("[IN45] an answer that was sent leaves no draft", async () => {
  const { id } = await ask(program, { text: "First?" });
  await using inbox = onScreen(program);
  await inbox.shows("❯ First?");
  await typeInto(inbox, "the whole answer");
  expect(await holds(async () => (await draftText(id)) !== undefined)).toBe(true);
  inbox.press("\r");
  await inbox.shows('… saved: "the whole answer"');
  expect(await holds(async () => (await draftText(id)) === undefined)).toBe(true);
});

test("[IN46] what is typed while the daemon is dead is kept when it is back", async () => {
  const { id } = await ask(program, { text: "First?" });
  await using inbox = onScreen(program);
  await inbox.shows("❯ First?");
  inbox.press("\r");
  await inbox.shows("3. Other");
  await guardOver();
  inbox.press("\u001b[B\u001b[B\r");
  await inbox.shows("Enter your answer:");
  await program.kill9();
  inbox.press("typed in the dark");
  expect(await holds(async () => (await draftText(id)) === "typed in the dark")).toBe(true);
});
