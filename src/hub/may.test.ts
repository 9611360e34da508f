import { expect, test } from "bun:test";
import { Kind } from "../core/ask/ask.ts";
import { ROLES } from "../protocol/hub/hub.ts";
import { mayAnswer } from "./may.ts";

test("[HU8] every role and kind: a viewer answers nothing, an answerer what lets no agent act, the others all; each in their project", () => {
  const may = (role: string, project: string | null) =>
    Kind.options.filter((kind) =>
      mayAnswer({ grants: [{ role, project }] }, { kind, origin: { agent: "script", project: "site" } }),
    );
  const all = Object.fromEntries(ROLES.map((role) => [role, may(role, null)]));
  const both = [...Kind.options];
  expect(all).toEqual({ viewer: [], answerer: ["question", "elicitation"], approver: both, admin: both });
  for (const role of ROLES) {
    expect(may(role, "site")).toEqual(all[role] ?? []);
    expect(may(role, "another")).toEqual([]);
  }
  expect(may("owner", null)).toEqual([]);
});
