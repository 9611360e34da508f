import { z } from "zod";
import { ADDRESSES } from "./address.ts";
import type { Endpoint } from "./endpoint.ts";
import { HookAck, HookCall, HookRelease, HookReply } from "./hook.ts";
import { LinkEvents, LinkReplies } from "./link.ts";

/** What agents' hooks and connections say, over the private socket only. */
export const HOOK_ENDPOINTS = {
  hookCall: {
    ...ADDRESSES.hookCall,
    needs: "agent",
    about: "An agent's hook reports an event, and may wait for an answer",
    body: HookCall,
    result: HookReply,
  },
  hookAck: {
    ...ADDRESSES.hookAck,
    needs: "agent",
    about: "The hook has printed the reply",
    body: HookAck,
    result: z.looseObject({}),
  },
  hookRelease: {
    ...ADDRESSES.hookRelease,
    needs: "agent",
    about: "The hook stops waiting",
    body: HookRelease,
    result: z.looseObject({}),
  },
  hookLinkEvents: {
    ...ADDRESSES.hookLinkEvents,
    needs: "agent",
    about: "What happens in an agent that is connected",
    body: LinkEvents,
    result: z.looseObject({}),
  },
  hookLinkReplies: {
    ...ADDRESSES.hookLinkReplies,
    needs: "agent",
    about: "What a connected agent says to requests",
    body: LinkReplies,
    result: z.looseObject({}),
  },
} satisfies Record<string, Endpoint>;
