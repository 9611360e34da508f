import { z } from "zod";
import { Answer } from "../core/ask/answer.ts";
import { ADDRESSES } from "./address.ts";
import type { Endpoint } from "./endpoint.ts";
import { HUB_PATHS } from "./hub-address.ts";
import { AskView } from "./view.ts";

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

export const INTENT_STATES = ["sent", "received", "overtaken", "withdrawn"] as const;
export const IntentView = z.looseObject({
  state: z.enum(INTENT_STATES),
  /** Who, by name. */
  member: z.string(),
  at: z.number(),
  settlement: HubSettlement.loose().optional(),
  detail: z.string().optional(),
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
export const HubAsks = z.looseObject({ asks: z.array(HubAskView) });

export const ROLES = ["viewer", "answerer", "approver", "admin"] as const;
export type Role = (typeof ROLES)[number];

export const TASK_STATES = ["sent", "received", "refused", "withdrawn"] as const;
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
  /** Who, by name. */
  member: z.string(),
  at: z.number(),
  task: z.string().optional(),
  detail: z.string().optional(),
});
export type HubTaskView = z.infer<typeof HubTaskView>;
/** `places`: where whoever asks this may give work. */
export const HubTasks = z.looseObject({
  tasks: z.array(HubTaskView),
  places: z.array(z.looseObject({ machine: HubTaskView.shape.machine, project: z.string() })),
});

/** From a machine. `upTo`: its log is told up to there; the hub says so back once it has it on disk. */
export const FromMachine = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("asks"), asks: z.array(AskView), upTo: z.number().int().optional() }),
  z.looseObject({
    type: z.literal("receipt"),
    n: z.number().int(),
    state: z.enum(["received", "overtaken", "withdrawn"]),
    detail: z.string().max(2000).optional(),
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

const Joined = z.looseObject({
  machine: z.looseObject({ id: z.string(), name: z.string() }),
  hub: z.string(),
  projects: z.array(z.string()),
  without: z.array(z.string()).optional(),
  /** Work may be given from there, in these projects. */
  tasks: z.boolean().optional(),
  /** Whose signatures this machine takes, what it demands, and what waits for a person to accept it, each by its mark. */
  trust: z
    .looseObject({
      keys: z.array(z.looseObject({ name: z.string(), member: z.string(), mark: z.string() })),
      waiting: z.array(z.looseObject({ name: z.string(), member: z.string(), mark: z.string() })),
      demands: z.array(z.looseObject({ words: z.string(), mark: z.string(), dropped: z.boolean() })),
    })
    .optional(),
});

/** Of the daemon: which hub this machine has joined. */
export const HUB_ENDPOINTS = {
  hubState: {
    ...ADDRESSES.hubState,
    needs: "human",
    about: "The hub this machine has joined, what is shared with it and whether the line to it stands",
    result: Joined.partial().extend({
      joined: z.boolean(),
      state: z.string().optional(),
      since: z.number().optional(),
    }),
  },
  joinHub: {
    ...ADDRESSES.joinHub,
    needs: "human",
    about: "Join a hub with a code of its: what is asked in these projects is shown there and answered from there",
    body: z.strictObject({
      url: z.string().max(2000),
      code: z.string().min(1).max(200),
      projects: z.array(z.string().min(1).max(4096)).min(1).max(100),
      name: Name.optional(),
      /** Also over plain HTTP to another machine. */
      plain: z.boolean().optional(),
      /** Certificates, PEM, of the authority that the hub's is from. */
      ca: z.string().max(200_000).optional(),
      /** What is not told of a question. */
      without: z.array(z.enum(["context", "previews"])).optional(),
      /** Members who may approve there may also give work in these projects. */
      tasks: z.boolean().optional(),
    }),
    result: Joined,
  },
  acceptHub: {
    ...ADDRESSES.acceptHub,
    needs: "human",
    about: "Accept what the hub has changed, by its marks: passkeys of members, or what it does not demand any more",
    body: z.strictObject({ marks: z.array(z.string().min(1).max(100)).min(1).max(200) }),
    result: Joined,
  },
  leaveHub: {
    ...ADDRESSES.leaveHub,
    needs: "human",
    about: "Leave the hub: the line ends, and nothing more is shared",
    result: z.looseObject({ left: z.boolean(), hub: z.string().optional(), told: z.boolean().optional() }),
  },
} as const satisfies Record<string, Endpoint>;
