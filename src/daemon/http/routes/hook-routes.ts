import type { Hooks } from "../../../delivery/hooks.ts";
import type { Remote } from "../../../delivery/remote/remote.ts";
import type { HOOK_ENDPOINTS } from "../../../protocol/hook-endpoints.ts";
import type { Routes } from "./route.ts";

export type HookDeps = { hooks: Hooks; remote: Remote };

/** What agents say over the private socket. */
export const createHookRoutes = ({ hooks, remote }: HookDeps): Pick<Routes, keyof typeof HOOK_ENDPOINTS> => ({
  hookCall: ({ body, gone }) => hooks.call(body, gone),
  hookAck: async ({ body }) => (await hooks.ack(body), {}),
  hookRelease: async ({ body }) => (await hooks.release(body), {}),
  hookLinkEvents: async ({ id, body }) => (await remote.events(id, body), {}),
  hookLinkReplies: async ({ id, body }) => (remote.replies(id, body), {}),
});
