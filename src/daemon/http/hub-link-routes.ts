import type { HubLink } from "../../hub-link/hub-link.ts";
import type { HUB_ENDPOINTS } from "../../protocol/hub.ts";
import type { Routes } from "./route.ts";

export function createHubLinkRoutes({ hub }: { hub: HubLink }): Pick<Routes, keyof typeof HUB_ENDPOINTS> {
  return {
    hubState: async () => hub.state(),
    joinHub: ({ body }) => hub.join(body),
    acceptHub: ({ body }) => hub.accept(body.marks),
    leaveHub: () => hub.leave(),
  };
}
