import { z } from "zod";
import { Phases } from "../autopilot/rule/phase.ts";
import { Rule } from "../autopilot/rule/rule.ts";
import { BrainConfig } from "../autopilot/brain-config.ts";
import { KEYS, needs, quiet, seconds, section, whole } from "./field.ts";

export const MODES = ["off", "suggest", "on"] as const;
export type Mode = (typeof MODES)[number];
const mode = () => z.enum(MODES, { error: needs("off, suggest or on") });
const list = { error: needs("a list") };
const NAME = /^[\w.-]{1,40}$/;
const POLICY = /^(wait|expire|brain:[\w.-]{1,40})$/;

/** Whether, and how, questions are answered in the person's place. Off unless the person's own file says otherwise. */
export const AutopilotConfig = z
  .strictObject(
    {
      mode: mode().default("off").register(KEYS, {
        about: "off; suggest: propose an answer for you to accept; on: watch, suggest, then answer what was earned",
      }),
      projects: z
        .record(z.string(), mode(), section)
        .default({})
        .register(KEYS, { about: "The mode of individual projects, by name or folder" }),
      undo_seconds: seconds(3600)
        .default(10)
        .register(KEYS, { about: "How long an answer is held before it goes out", strict: 3600 }),
      quiet: quiet().register(KEYS, { about: "Local hours in which it only suggests" }),
      budget_per_session: whole(0, 100_000)
        .default(100)
        .register(KEYS, { about: "At most this many answers and brain calls per session; 0: no limit", strict: 1 }),
      budget_per_hour: whole(0, 100_000)
        .default(200)
        .register(KEYS, { about: "At most this many answers and brain calls per hour; 0: no limit", strict: 1 }),
      brain: z
        .string({ error: needs("the name of a brain") })
        .default("")
        .register(KEYS, { about: "The brain that is asked where no rule decides; none: a person" }),
      confidence: z
        .number({ error: needs("a number from 0 to 1") })
        .min(0, { error: needs("a number from 0 to 1") })
        .max(1, { error: needs("a number from 0 to 1") })
        .default(0.8)
        .register(KEYS, { about: "How sure a brain has to be before an answer of its goes out by itself", strict: 1 }),
      escalate_after_seconds: seconds(2_592_000)
        .default(0)
        .register(KEYS, { about: "How long a person has before after_escalation; 0: forever" }),
      after_escalation: z
        .string({ error: needs(`wait, expire or "brain:<name>"`) })
        .regex(POLICY, { error: needs(`wait, expire or "brain:<name>"`) })
        .default("wait")
        .register(KEYS, {
          about: "What happens then: keep waiting, ask that brain, or tell the agent that nobody answered (expire)",
        }),
      documents: z
        .array(z.string(), list)
        .default(["ROADMAP.md", "STATE.md", "CONTEXT.md"])
        .register(KEYS, { about: "Project files that brains may read", strict: [] }),
      phases: Phases.default({}).register(KEYS, {
        about: "Phases of other workflows, by the command that begins them",
      }),
      trust: z
        .strictObject(
          {
            per_question: whole(0, 1000).default(5).register(KEYS, {
              about: "So many equal answers in a row to one question; 0: nothing to earn",
              strict: 1000,
            }),
            per_rule: whole(0, 1000).default(12).register(KEYS, {
              about: "So many in a row to all of a rule's or brain's questions; 0: nothing to earn",
              strict: 1000,
            }),
            ask_every: whole(2, 1000).default(10).register(KEYS, { about: "Every so many is asked anyway", strict: 2 }),
            days: whole(1, 3650)
              .default(60)
              .register(KEYS, { about: "Trust ends when it was not used so long", strict: 1 }),
          },
          section,
        )
        .prefault({}),
      rules: z.array(Rule, list).default([]).register(KEYS, {
        about: "What to do with which question; the first match counts",
        project: "apart",
      }),
      brains: z
        .record(z.string().regex(NAME, { error: "expected a name of letters, digits, - and _" }), BrainConfig, section)
        .default({})
        .register(KEYS, { about: "Who can be asked for an answer, by name" }),
    },
    section,
  )
  .superRefine(({ brain, brains, after_escalation: policy, rules }, context) => {
    const wanted: { path: (string | number)[]; name: string }[] = [
      { path: ["brain"], name: brain },
      { path: ["after_escalation"], name: policy.startsWith("brain:") ? policy.slice("brain:".length) : "" },
      ...rules.map((rule, i) => ({ path: ["rules", i, "brain"], name: rule.brain ?? "" })),
    ];
    for (const [name, { second }] of Object.entries(brains))
      if (second === name)
        context.addIssue({ code: "custom", path: ["brains", name, "second"], message: "expected another brain" });
      else wanted.push({ path: ["brains", name, "second"], name: second ?? "" });
    for (const { path, name } of wanted)
      if (name !== "" && !Object.hasOwn(brains, name))
        context.addIssue({ code: "custom", path, message: `there is no [autopilot.brains.${name}]` });
    rules.forEach(({ brain: asked, match }, i) => {
      const kind = match.kind?.find((each) => each === "approval" || each === "plan");
      if (asked !== undefined && kind !== undefined)
        context.addIssue({ code: "custom", path: ["rules", i, "brain"], message: `a brain never settles ${kind}s` });
    });
  });
export type AutopilotConfig = z.infer<typeof AutopilotConfig>;
