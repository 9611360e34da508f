import { z } from "zod";
import { Answer } from "../../core/ask/answer/answer.ts";
import { HUB_PATHS } from "./hub-address.ts";
import { AskView } from "../view.ts";

// What a hub, the machines that joined it and the people who answer through it say to each other.

/** How a hub ends a link. `revoked`: for good; `replaced`: the same machine came again. */
export const LINK_ENDS = { revoked: 4401, replaced: 4409, wrong: 4400 } as const;
/** Either side says something at least so often; after three times as long without a word the line is given up. */
export const BEAT_MS = 10_000;
export const SILENCE_MS = 45_000;
/** More than the largest Ask has; what is sent together stays far below it. */
/** A header of the line: what this machine understands beyond the first form of it. */
export const LINK_TAKES = { header: "x-parley-takes", withdraw: "withdraw" } as const;
export const LARGEST_MESSAGE = 16 * 1024 * 1024;

export { HUB_PATHS };

const Name = z.string().min(1).max(200);
const Secret = z.string().min(20).max(200);

export const JoinRequest = z.strictObject({
  code: z.string().min(1).max(200),
  machine: z.strictObject({ id: z.string().regex(/^[a-z0-9]{12}$/), name: Name }),
  /** Made by the machine: the hub keeps a digest of it. */
  token: Secret,
  projects: z.array(z.string().max(4096)).max(100),
});

/** What a hub says to a machine that joined with the token of a job: where it may ask, by the names of projects. */
export const JobJoined = z.looseObject({ projects: z.array(z.string()) });
/** What a hub that knows of signed approvals says to whoever joins it. */
export const JoinedTrust = z.looseObject({
  trust: z
    .lazy(() => HubTrust)
    .optional()
    .catch(undefined),
});

/** An answer from the hub: what a person decided, and nothing that changes what is asked for. */
export const HubSettlement = z.strictObject({
  action: z.enum(["answer", "decline", "chat", "cancel"]),
  answers: z.array(Answer).optional(),
  message: z.string().max(10_000).optional(),
  version: z.number().int().optional(),
});
export type HubSettlement = z.infer<typeof HubSettlement>;
export type HubSettlementInput = z.input<typeof HubSettlement>;

/** As a person sends it: with what their passkey says, where a signature is demanded. */
export const HubAnswer = HubSettlement.extend({ signature: z.looseObject({ id: z.string() }).optional() });

/** What a hub says of its people's passkeys and of what it demands of answers. */
export const HubTrust = z.looseObject({
  keys: z.array(
    z.looseObject({
      id: z.string().max(2000),
      member: z.string().max(200),
      name: z.string().max(200),
      publicKey: z.string().max(4000),
      rpId: z.string().max(300),
    }),
  ),
  policies: z.array(
    z.looseObject({
      id: z.string(),
      two: z.boolean(),
      signed: z.boolean(),
      project: z.string().nullable(),
      kind: z.string().nullable(),
      stake: z.string().nullable(),
    }),
  ),
});

/**
 * Why an answer came to nothing, for programs; `detail` is the sentence for people. Its machine: `demand` (it takes such an
 * answer only of two people, or signed), `not-shared`, `invalid` (it is no answer to this), `over` (nobody waits for one any
 * more), `refused` (anything else). Whoever gave it: `taken-back`, `revoked`. Earlier hubs and machines say none.
 */
export const WITHDRAWN_REASONS = [
  "demand",
  "not-shared",
  "invalid",
  "over",
  "refused",
  "taken-back",
  "revoked",
] as const;
export type WithdrawnReason = (typeof WITHDRAWN_REASONS)[number];
/** One that is not known here, of a later version, says nothing. */
const Reason = z.enum(WITHDRAWN_REASONS).optional().catch(undefined);

export const INTENT_STATES = ["sent", "received", "overtaken", "withdrawn"] as const;
export const IntentView = z.looseObject({
  state: z.enum(INTENT_STATES),
  /** Who, by name. */
  member: z.string(),
  at: z.number(),
  settlement: HubSettlement.loose().optional(),
  detail: z.string().optional(),
  /** With `withdrawn`. */
  reason: Reason,
  /** Where two were needed: who chose the same before, by name. */
  with: z.array(z.string()).optional(),
  /** Whose passkeys signed it, by name. */
  signed: z.array(z.string()).optional(),
});
export type IntentView = z.infer<typeof IntentView>;

/** Somebody is on it; by name, `id` the member. `by`: who handed it to them. */
export const ClaimView = z.looseObject({
  member: z.string(),
  id: z.string(),
  at: z.number(),
  until: z.number(),
  by: z.string().optional(),
});

/** What one of two has chosen; by name, `id` the member. */
export const HalfView = z.looseObject({
  member: z.string(),
  id: z.string(),
  at: z.number(),
  settlement: HubSettlement.loose(),
});

/** Whom it goes to, one after the other; `step`: who it is with. `people`: who was asked so far. `next`: when it goes on. */
export const RouteView = z.looseObject({
  steps: z.array(z.looseObject({ type: z.string(), name: z.string() })),
  step: z.number(),
  reminded: z.boolean(),
  people: z.array(z.looseObject({ id: z.string(), member: z.string() })),
  since: z.number(),
  next: z.number().optional(),
});
export type RouteView = z.infer<typeof RouteView>;

export const HubAskView = AskView.extend({
  machine: z.looseObject({ id: z.string(), name: z.string(), online: z.boolean(), seenAt: z.number().optional() }),
  intent: IntentView.optional(),
  claim: ClaimView.optional(),
  /** What the hub's policies demand of an answer: two people, a signature. */
  needs: z.looseObject({ two: z.boolean(), signed: z.boolean() }).optional(),
  /** Where two are needed and do not agree yet. */
  halves: z.array(HalfView).optional(),
  route: RouteView.optional(),
  /** Who has it before them just now. */
  looking: z.array(z.looseObject({ id: z.string(), member: z.string() })).optional(),
});
export type HubAskView = z.infer<typeof HubAskView>;
/** What a hub says of an Ask beside what its machine told. */
export const HUB_ADDS: readonly string[] = Object.keys(HubAskView.shape).filter((name) => !(name in AskView.shape));
/** `next`: where those that are open go on. */
export const HubAsks = z.looseObject({ asks: z.array(HubAskView), next: z.string().optional() });

/** By their whole ids; those that are not there, or not seen, are left out of the reply. */
export const MOST_NAMED = 500;
export const HubNamed = z.strictObject({ ids: z.array(z.string().regex(/^[a-z0-9]{1,40}$/)).max(MOST_NAMED) });

/** What happened since a cursor (`News` of the page). `reload`: so much that the list is read anew. */
export const HubNews = z.looseObject({
  cursor: z.string(),
  machines: z.array(HubAskView.shape.machine).optional(),
  team: z.string().optional(),
  asks: z.array(HubAskView),
  reload: z.boolean(),
});
export type HubNews = z.infer<typeof HubNews>;
/** Whose token it is, and their roles. */
export const HubMember = z.looseObject({
  id: z.string(),
  name: z.string(),
  grants: z.array(z.looseObject({ role: z.string(), project: z.string().nullable() })),
});
export type HubMember = z.infer<typeof HubMember>;

export const ROLES = ["viewer", "answerer", "approver", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** `waiting`: two people are needed, and one gave it. */
export const TASK_STATES = ["waiting", "sent", "received", "refused", "withdrawn"] as const;
/** Work somebody gives on a machine that allows it: what is to be done and in which project, and nothing that says how. */
export const HubOrder = z.strictObject({
  machine: z.string().min(1).max(200),
  project: z.string().min(1).max(300),
  prompt: z.string().trim().min(1).max(100_000),
  name: z.string().trim().min(1).max(80).optional(),
});
export type HubOrder = z.input<typeof HubOrder>;

/** `task`: what its machine calls it, once it has it. */
export const HubTaskView = z.looseObject({
  id: z.string(),
  state: z.enum(TASK_STATES),
  machine: z.looseObject({ id: z.string(), name: z.string(), online: z.boolean(), seenAt: z.number().optional() }),
  project: z.string(),
  prompt: z.string(),
  name: z.string().optional(),
  /** Who, by name; `by`: their id. */
  member: z.string(),
  by: z.string().optional(),
  /** Where two were needed: who agreed, by name. */
  with: z.array(z.string()).optional(),
  at: z.number(),
  task: z.string().optional(),
  detail: z.string().optional(),
});
export type HubTaskView = z.infer<typeof HubTaskView>;
const Needs = z.looseObject({ two: z.boolean(), signed: z.boolean() });
/** `places`: where whoever asks this may give work; `needs`: what the hub's policies demand of it there. */
export const HubTasks = z.looseObject({
  tasks: z.array(HubTaskView),
  places: z.array(z.looseObject({ machine: HubTaskView.shape.machine, project: z.string(), needs: Needs.optional() })),
});

/** From a machine. `upTo`: its log is told up to there; the hub says so back once it has it on disk. */
export const FromMachine = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("asks"), asks: z.array(AskView), upTo: z.number().int().optional() }),
  z.looseObject({
    type: z.literal("receipt"),
    n: z.number().int(),
    state: z.enum(["received", "overtaken", "withdrawn"]),
    detail: z.string().max(2000).optional(),
    reason: Reason,
  }),
  /** In which projects it takes work from this hub; only to a hub that says that it gives some. */
  z.looseObject({ type: z.literal("offers"), projects: z.array(z.string().max(300)).max(100) }),
  z.looseObject({
    type: z.literal("task-receipt"),
    id: z.string().max(100),
    state: z.enum(["received", "refused", "withdrawn"]),
    task: z.string().max(100).optional(),
    detail: z.string().max(2000).optional(),
  }),
  z.looseObject({ type: z.literal("beat") }),
]);
export type FromMachine = z.infer<typeof FromMachine>;

/** From the hub. `after`: where the machine's log goes on; null: nothing of it is known. `n`: the intent's number. */
export const FromHub = z.discriminatedUnion("type", [
  z.looseObject({
    type: z.literal("welcome"),
    after: z.number().int().nullable(),
    trust: HubTrust.optional(),
    /** It knows of work that is given, and wants to hear where it may be. */
    gives: z.array(z.string()).optional().catch(undefined),
  }),
  /** Only to a machine that has said that it takes some. The same id again is the same work. */
  z.looseObject({
    type: z.literal("task"),
    id: z.string().min(1).max(100),
    project: z.string().max(300),
    prompt: z.string().trim().min(1).max(100_000),
    name: z.string().trim().min(1).max(80).optional(),
    member: z.looseObject({ id: z.string(), name: z.string() }),
    /** Where two were needed: who agreed. */
    others: z.array(z.looseObject({ id: z.string(), name: z.string() })).optional(),
    at: z.number(),
  }),
  /** Whoever gave this work wants it back. */
  z.looseObject({ type: z.literal("withdraw-task"), id: z.string().max(100) }),
  z.looseObject({ type: z.literal("taken") }),
  /** Whoever gave this answer wants it back: the machine says whether it can be. */
  z.looseObject({ type: z.literal("withdraw"), n: z.number().int(), ask: z.string() }),
  z.looseObject({
    type: z.literal("intent"),
    n: z.number().int(),
    ask: z.string(),
    member: z.looseObject({ id: z.string(), name: z.string() }),
    at: z.number(),
    settlement: HubSettlement,
    /** Where two were needed: who else chose it. */
    others: z.array(z.looseObject({ id: z.string(), name: z.string() })).optional(),
    /** What the passkeys of those who chose it said. */
    signed: z.array(z.looseObject({ member: z.string(), response: z.looseObject({}) })).optional(),
  }),
  z.looseObject({ type: z.literal("beat"), trust: HubTrust.optional() }),
]);
export type FromHub = z.infer<typeof FromHub>;
