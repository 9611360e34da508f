import { z } from "zod";
import { ADDRESSES } from "../address.ts";
import type { Endpoint } from "../endpoint.ts";

// What a machine says of its own hub. Apart from what hub and machines say to each other: most have joined none.

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
      name: z.string().min(1).max(200).optional(),
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
