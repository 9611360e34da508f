import { z } from "zod";
import { ADDRESSES } from "./address.ts";
import type { Endpoint } from "./endpoint.ts";

/** A browser that signed in. `name` is what it called itself. */
export const Browser = z.looseObject({
  id: z.string(),
  name: z.string(),
  createdAt: z.number(),
  seenAt: z.number(),
  /** It was paired as a phone. */
  phone: z.boolean().optional(),
});
export type Browser = z.infer<typeof Browser>;

/** An agent Parley knows. `change` is the exact change of its settings file that set-up would make. */
export const AgentView = z.looseObject({
  name: z.string(),
  title: z.string(),
  found: z.boolean(),
  path: z.string(),
  setUp: z.boolean(),
  change: z.string().optional(),
  problem: z.string().optional(),
});
export type AgentView = z.infer<typeof AgentView>;

/** What the page's settings do. */
export const PAGE_ENDPOINTS = {
  openPage: {
    ...ADDRESSES.openPage,
    needs: "human",
    about: "A code that signs one browser in, once and within a minute",
    result: z.looseObject({ code: z.string(), expiresAt: z.number(), url: z.string(), address: z.string() }),
  },
  listBrowsers: {
    ...ADDRESSES.listBrowsers,
    needs: "human",
    about: "Browsers that are signed in",
    result: z.looseObject({ browsers: z.array(Browser) }),
  },
  endBrowser: {
    ...ADDRESSES.endBrowser,
    needs: "human",
    about: "Sign a browser out; one that is not signed in stays so",
    body: z.strictObject({ id: z.string() }),
    result: z.looseObject({}),
  },
  newTokens: {
    ...ADDRESSES.newTokens,
    needs: "human",
    about: "New tokens for programs; the ones before open nothing from then on. Browsers stay signed in",
    result: z.looseObject({}),
  },
  listAgents: {
    ...ADDRESSES.listAgents,
    needs: "human",
    about: "Agents Parley knows: found or not, set up or not, and the change that set-up would make",
    result: z.looseObject({ agents: z.array(AgentView) }),
  },
  setupAgent: {
    ...ADDRESSES.setupAgent,
    needs: "human",
    about: "Make the change that was shown, if it is still that one",
    body: z.strictObject({ agent: z.string(), change: z.string() }),
    result: z.looseObject({ detail: z.string() }),
  },
  notifyTest: {
    ...ADDRESSES.notifyTest,
    needs: "human",
    about: "Send a test notification and say what happened",
    /** Milliseconds to wait for the press of its button, where a messenger has one. */
    query: z.looseObject({ wait: z.coerce.number().int().min(0).max(300_000).default(0) }),
    body: z.strictObject({ channel: z.enum(["desktop", "ntfy", "webhook", "telegram", "slack", "push"]).optional() }),
    result: z.looseObject({
      enabled: z.boolean(),
      channels: z.array(
        z.looseObject({ channel: z.string(), result: z.enum(["sent", "off", "failed"]), detail: z.string() }),
      ),
      links: z.looseObject({ base: z.string(), port: z.number().optional() }),
    }),
  },
  notifyPairs: {
    ...ADDRESSES.notifyPairs,
    needs: "human",
    about:
      "People who may answer by a messenger, and whether a code waits for somebody; with check, whether the tokens work",
    query: z.looseObject({ check: z.stringbool().default(false) }),
    result: z.looseObject({
      pairs: z.array(z.looseObject({ messenger: z.string(), id: z.string(), name: z.string(), at: z.number() })),
      expecting: z.boolean(),
      /** Those that are set up. `detail` holds no secret. */
      messengers: z.array(z.looseObject({ messenger: z.string(), works: z.boolean(), detail: z.string() })).optional(),
    }),
  },
  notifyPair: {
    ...ADDRESSES.notifyPair,
    needs: "human",
    about: "A code that pairs one chat of a messenger, once and within ten minutes",
    body: z.strictObject({ messenger: z.enum(["telegram", "slack"]) }),
    result: z.looseObject({ code: z.string(), expiresAt: z.number(), bot: z.string(), url: z.string() }),
  },
  notifyUnpair: {
    ...ADDRESSES.notifyUnpair,
    needs: "human",
    about: "Somebody, by id or name, may not answer by a messenger any more; who is not paired stays so",
    body: z.strictObject({ messenger: z.enum(["telegram", "slack"]), who: z.string().min(1).max(200) }),
    result: z.looseObject({ removed: z.array(z.string()) }),
  },
} as const satisfies Record<string, Endpoint>;
