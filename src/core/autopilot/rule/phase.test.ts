import { expect, test } from "bun:test";
import { phaseOf as phaseIn } from "./phase.ts";

const GSD = {
  "gsd:discuss-phase": "discuss",
  "gsd:plan-phase": "plan",
  "gsd:execute-phase": "execute",
  "gsd:verify-work": "verify",
} as const;
const phaseOf = (command: string | undefined, own = {}) => phaseIn(command, { ...GSD, ...own });

test("[AL24] the running command sets the phase, in either spelling", () => {
  expect(phaseOf("/gsd:discuss-phase 3")).toBe("discuss");
  expect(phaseOf("/gsd:plan-phase 3 --skip-research")).toBe("plan");
  expect(phaseOf("/gsd-execute-phase 3")).toBe("execute");
  expect(phaseOf("/gsd:verify-work")).toBe("verify");
  expect(phaseOf("/compact")).toBeUndefined();
  expect(phaseOf("fix the bug in /gsd:plan-phase")).toBeUndefined();
  expect(phaseOf(undefined)).toBeUndefined();
});

test("[AL24] another workflow names its own commands, and its longest name wins", () => {
  const own = { "/speckit.plan": "plan", "/speckit": "discuss", "/gsd:quick": "plan" } as const;
  expect(phaseOf("/speckit.plan now", own)).toBe("plan");
  expect(phaseOf("/speckit.specify", own)).toBe("discuss");
  expect(phaseOf("/gsd:quick", own)).toBe("plan");
  expect(phaseOf("/gsd:verify-work", own)).toBe("verify");
});
