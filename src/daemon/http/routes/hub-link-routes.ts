import type { LateLink } from "../../../hub-link/late-link.ts";
import type { HUB_ENDPOINTS } from "../../../protocol/hub/hub-endpoints.ts";
import type { Routes } from "./route.ts";

export function createHubLinkRoutes({ hub }: { hub: LateLink }): Pick<Routes, keyof typeof HUB_ENDPOINTS> {
  return {
    hubState: () => hub.state(),
    joinHub: ({ body }) => hub.join(body),
    acceptHub: ({ body }) => hub.accept(body.marks),
    leaveHub: () => hub.leave(),
  };
}
