import type { AgentRemote } from "../../capability/remote.ts";
import type { AgentService, ServiceItem } from "../../capability/service.ts";
import { listen } from "./listen.ts";
import { open } from "./open.ts";
import { read } from "./read.ts";
import { locateIn } from "./record.ts";
import { isIt, places, registered } from "./registration.ts";
import { reply } from "./reply.ts";

/** Every terminal of opencode 2 is a client of one service in the background, and so is Parley. */
const remote: AgentRemote = {
  read,
  pending: [
    {
      request: { method: "GET", path: "open" },
      read: (body) =>
        (Array.isArray(body) ? (body as ServiceItem[]) : []).flatMap((item) => read(item.event, item.call)),
    },
  ],
  reply,
  recordOf: locateIn,
};

export const service: AgentService = {
  places,
  registered,
  user: "opencode",
  health: { path: "/api/health", isIt },
  events: "/api/event",
  remote,
  listen,
  open,
};
