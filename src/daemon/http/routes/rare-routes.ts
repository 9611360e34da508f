import type { Ask } from "../../../core/ask/ask.ts";
import type { AskView } from "../../../protocol/view.ts";
import type { createPhoneRoutes } from "./phone-routes.ts";
import type { createGrantRoutes } from "./grant-routes.ts";
import type { createTaskRoutes } from "./task-routes.ts";
import type { createPaneRoutes } from "./pane-routes.ts";
import type { createAutopilotRoutes } from "./autopilot-routes.ts";
import type { createTrustRoutes } from "./trust-routes.ts";
import type { createEarnedRoutes } from "./earned-routes.ts";
import type { createDraftRoutes } from "./draft-routes.ts";
import type { Routes } from "./route.ts";

type Made<Create extends (...given: never) => unknown> = Parameters<Create>[0];
type Deps = Made<typeof createPhoneRoutes> &
  Made<typeof createGrantRoutes> &
  Made<typeof createTaskRoutes> &
  Made<typeof createPaneRoutes> &
  Made<typeof createAutopilotRoutes> &
  Made<typeof createTrustRoutes> &
  Made<typeof createEarnedRoutes> &
  Made<typeof createDraftRoutes> & { view: (ask: Ask) => AskView };

/** What many never call: each group is read when the first of its routes is called, and takes no memory before. */
export function createRareRoutes(deps: Deps) {
  const { view } = deps;
  return {
    ...late(["phoneCode", "listPhones", "endPhone", "pushState", "pushTo", "pushReply"], async () =>
      (await import("./phone-routes.ts")).createPhoneRoutes(deps),
    ),
    ...late(
      [
        "giveGrant",
        "grantOffer",
        "declineGrant",
        "listApprovals",
        "listGrants",
        "getGrant",
        "editGrant",
        "revokeGrant",
      ],
      async () => (await import("./grant-routes.ts")).createGrantRoutes(deps, view),
    ),
    ...late(
      [
        "createTask",
        "listTasks",
        "getTask",
        "taskLog",
        "taskFeedback",
        "taskRetry",
        "taskCancel",
        "taskDone",
        "taskDiff",
        "taskApply",
        "taskDiscard",
        "taskRemove",
      ],
      async () => (await import("./task-routes.ts")).createTaskRoutes(deps),
    ),
    ...late(
      ["listServers", "watchServer", "unwatchServer", "listPanes", "watchPane", "unwatchPane", "answerPane"],
      async () => (await import("./pane-routes.ts")).createPaneRoutes(deps, view),
    ),
    ...late(
      ["acceptProposal", "undoAutopilot", "autopilot", "autopilotPause", "autopilotStats", "autopilotTest"],
      async () => (await import("./autopilot-routes.ts")).createAutopilotRoutes(deps),
    ),
    ...late(["getTrust", "setTrust"], async () => (await import("./trust-routes.ts")).createTrustRoutes(deps)),
    ...late(["earnedTrust", "withdrawTrust", "reviewAsk", "digest", "autopilotReplay"], async () =>
      (await import("./earned-routes.ts")).createEarnedRoutes(deps),
    ),
    ...late(["getDraft", "putDraft"], async () => (await import("./draft-routes.ts")).createDraftRoutes(deps)),
  };
}

function late<N extends keyof Routes>(names: readonly N[], load: () => Promise<Pick<Routes, N>>): Pick<Routes, N> {
  let loaded: Promise<Pick<Routes, N>> | undefined;
  const calls = names.map((name) => {
    const call = async (input: never): Promise<unknown> => {
      loaded ??= load().catch((error: unknown) => {
        loaded = undefined;
        throw error;
      });
      const routes = await loaded;
      return (routes[name] as (given: never) => Promise<unknown>)(input);
    };
    return [name, call];
  });
  return Object.fromEntries(calls) as Pick<Routes, N>;
}
