import { afterEach, expect, test } from "bun:test";
import { createPilot, isSettled, type Pilot, RULE, stateIs } from "../e2e/autopilot-stage.ts";
import { guardOver, onScreen } from "./inbox-stage.ts";

let pilot: Pilot;
afterEach(() => pilot.dispose());

test("[AU60] in the inbox y accepts what is proposed, u takes back what is on its way, and a dialog opens with it chosen", async () => {
  pilot = createPilot(`[autopilot]\nmode = "suggest"\n${RULE}`);
  await pilot.program.start();
  const first = await pilot.ask();
  await pilot.becomes(first, stateIs("suggested"));
  await using inbox = onScreen(pilot.program, { columns: 120 });
  await inbox.shows('Autopilot proposes: "List" (rule first)');
  await inbox.shows("y accept proposal");
  await guardOver();
  inbox.press("y");
  expect((await pilot.becomes(first, isSettled)).outcome).toMatchObject({
    actor: { type: "person", surface: "inbox" },
    answers: [{ picks: [1] }],
  });

  const second = await pilot.ask({ question: "And here?" });
  await inbox.shows("[Choice] And here?");
  await pilot.becomes(second, stateIs("suggested"));
  await inbox.shows("y accepts it");
  await guardOver();
  inbox.press("\r");
  await inbox.shows(/❯ \(•\) 2\. List/);
  await guardOver();
  inbox.press("\r");
  await pilot.becomes(second, isSettled);

  pilot.configure(`[autopilot]\nmode = "on"\nundo_seconds = 600\n${RULE}`);
  const third = await pilot.ask({ question: "The third?" });
  await inbox.shows(/Autopilot answers in [0-9. a-z]+: "List"/);
  inbox.press("u");
  await inbox.shows("taken back; Enter answers it");
  expect((await pilot.look(third)).autopilot?.state).toBe("undone");
});
