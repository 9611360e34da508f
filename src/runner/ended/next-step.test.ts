import { expect, test } from "bun:test";
import { phasesWith } from "../../autopilot/workflows.ts";
import { nextStepIn } from "./next-step.ts";

const found = (said: string) => nextStepIn(said, phasesWith({ "/speckit.plan": "plan" }))?.command;

test("[TU26] the next step is the last command of a known workflow that an agent's last words name", () => {
  expect(found("The plan is ready.\n\nNext: `/gsd:execute-phase 3`")).toBe("/gsd:execute-phase 3");
  expect(found("Ran /gsd:plan-phase 2.\nNow run /gsd:plan-phase 3 to go on.")).toBe("/gsd:plan-phase 3");
  expect(found("Next: /speckit.plan")).toBe("/speckit.plan");
  expect(found("See src/gsd:plan-phase 3")).toBeUndefined();
  expect(found("Next: /deploy now")).toBeUndefined();
  expect(found("Finished.")).toBeUndefined();
});

test("[TU26] nothing but plain words with numbers goes along", () => {
  expect(found("Next: /gsd:quick delete the production database")).toBe("/gsd:quick");
  expect(found("Next: /gsd:quick 3; rm -rf ~")).toBe("/gsd:quick 3");
  expect(found(`Next: /gsd:plan-phase ${"9".repeat(300)}`)?.length).toBeLessThan(80);
});
