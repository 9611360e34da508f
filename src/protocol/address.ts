/** Where each endpoint is. Apart from the contract: who only calls need not load a schema library to know it. */
export const ADDRESSES = {
  health: { method: "GET", path: "/health" },
  openapi: { method: "GET", path: "/openapi.json" },
  metrics: { method: "GET", path: "/metrics" },
  status: { method: "GET", path: "/api/status" },
  listAsks: { method: "GET", path: "/api/asks" },
  getAsk: { method: "GET", path: "/api/asks/:id" },
  createAsk: { method: "POST", path: "/api/asks" },
  settleAsk: { method: "POST", path: "/api/asks/:id/settle" },
  snoozeAsk: { method: "POST", path: "/api/asks/:id/snooze" },
  getDraft: { method: "GET", path: "/api/asks/:id/draft" },
  putDraft: { method: "PUT", path: "/api/asks/:id/draft" },
  receiveAnswer: { method: "GET", path: "/api/asks/:id/answer" },
  withdrawAsk: { method: "POST", path: "/api/asks/:id/withdraw" },
  giveGrant: { method: "POST", path: "/api/asks/:id/grant" },
  grantOffer: { method: "GET", path: "/api/asks/:id/grant" },
  declineGrant: { method: "POST", path: "/api/asks/:id/grant/decline" },
  listApprovals: { method: "GET", path: "/api/approvals" },
  listGrants: { method: "GET", path: "/api/grants" },
  getGrant: { method: "GET", path: "/api/grants/:id" },
  editGrant: { method: "POST", path: "/api/grants/:id/edit" },
  revokeGrant: { method: "POST", path: "/api/grants/:id/revoke" },
  listSessions: { method: "GET", path: "/api/sessions" },
  dismissSession: { method: "POST", path: "/api/sessions/:id/dismiss" },
  readLog: { method: "GET", path: "/api/log" },
  welcome: { method: "POST", path: "/api/welcome" },
  prune: { method: "POST", path: "/api/prune" },
  config: { method: "GET", path: "/api/config" },
  caller: { method: "GET", path: "/api/caller" },
  openPage: { method: "POST", path: "/api/page/code" },
  listBrowsers: { method: "GET", path: "/api/page/browsers" },
  endBrowser: { method: "POST", path: "/api/page/browsers/end" },
  newTokens: { method: "POST", path: "/api/tokens/new" },
  listAgents: { method: "GET", path: "/api/agents" },
  setupAgent: { method: "POST", path: "/api/agents/setup" },
  phoneCode: { method: "POST", path: "/api/phones/code" },
  listPhones: { method: "GET", path: "/api/phones" },
  endPhone: { method: "POST", path: "/api/phones/end" },
  pushState: { method: "GET", path: "/api/push" },
  pushTo: { method: "POST", path: "/api/push" },
  pushReply: { method: "POST", path: "/api/push/reply" },
  notifyTest: { method: "POST", path: "/api/notify/test" },
  notifyPairs: { method: "GET", path: "/api/notify/pairs" },
  notifyPair: { method: "POST", path: "/api/notify/pair" },
  notifyUnpair: { method: "POST", path: "/api/notify/unpair" },
  createTask: { method: "POST", path: "/api/tasks" },
  listTasks: { method: "GET", path: "/api/tasks" },
  getTask: { method: "GET", path: "/api/tasks/:id" },
  taskLog: { method: "GET", path: "/api/tasks/:id/log" },
  taskFeedback: { method: "POST", path: "/api/tasks/:id/feedback" },
  taskRetry: { method: "POST", path: "/api/tasks/:id/retry" },
  taskCancel: { method: "POST", path: "/api/tasks/:id/cancel" },
  taskDone: { method: "POST", path: "/api/tasks/:id/done" },
  taskDiff: { method: "GET", path: "/api/tasks/:id/diff" },
  taskApply: { method: "POST", path: "/api/tasks/:id/apply" },
  taskDiscard: { method: "POST", path: "/api/tasks/:id/discard" },
  listPanes: { method: "GET", path: "/api/panes" },
  watchPane: { method: "POST", path: "/api/panes/watch" },
  unwatchPane: { method: "POST", path: "/api/panes/unwatch" },
  listServers: { method: "GET", path: "/api/servers" },
  watchServer: { method: "POST", path: "/api/servers/watch" },
  unwatchServer: { method: "POST", path: "/api/servers/unwatch" },
  answerPane: { method: "POST", path: "/api/panes/answer" },
  acceptProposal: { method: "POST", path: "/api/asks/:id/accept" },
  undoAutopilot: { method: "POST", path: "/api/asks/:id/undo" },
  autopilot: { method: "GET", path: "/api/autopilot" },
  autopilotPause: { method: "POST", path: "/api/autopilot/pause" },
  autopilotStats: { method: "GET", path: "/api/autopilot/stats" },
  autopilotTest: { method: "POST", path: "/api/autopilot/test" },
  getTrust: { method: "GET", path: "/api/autopilot/trust" },
  setTrust: { method: "POST", path: "/api/autopilot/trust" },
  earnedTrust: { method: "GET", path: "/api/autopilot/earned" },
  withdrawTrust: { method: "POST", path: "/api/autopilot/earned/withdraw" },
  reviewAsk: { method: "POST", path: "/api/asks/:id/review" },
  digest: { method: "GET", path: "/api/digest" },
  autopilotReplay: { method: "POST", path: "/api/autopilot/replay" },
  tellMismatches: { method: "POST", path: "/api/mismatches/tell" },
  taskRemove: { method: "POST", path: "/api/tasks/:id/rm" },
  hubState: { method: "GET", path: "/api/hub" },
  joinHub: { method: "POST", path: "/api/hub/join" },
  acceptHub: { method: "POST", path: "/api/hub/accept" },
  leaveHub: { method: "POST", path: "/api/hub/leave" },
  shutdown: { method: "POST", path: "/api/shutdown" },
  hookCall: { method: "POST", path: "/hook/call" },
  hookAck: { method: "POST", path: "/hook/ack" },
  hookRelease: { method: "POST", path: "/hook/release" },
  hookLinkEvents: { method: "POST", path: "/hook/link/:id/events" },
  hookLinkReplies: { method: "POST", path: "/hook/link/:id/replies" },
} as const;

/** The request line of an endpoint. Contract: what is undefined is not asked for. */
export function addressOf(
  name: keyof typeof ADDRESSES,
  { id = "", query = {} }: { id?: string | undefined; query?: Record<string, unknown> | undefined } = {},
): { method: "GET" | "POST" | "PUT"; path: string } {
  const { method, path } = ADDRESSES[name];
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([key, value]): [string, string][] =>
      value === undefined ? [] : [[key, String(value)]],
    ),
  ).toString();
  return { method, path: `${path.replace(":id", encodeURIComponent(id))}${search && `?${search}`}` };
}

/**
 * Headers with which a program says where a call comes from: its process, as `pid start-time`, and the agent's session
 * that its own environment names. The daemon looks at the process and its parents itself.
 */
export const CALLER = { process: "parley-caller", session: "parley-inside" } as const;

/** Live events. Both begin after `after` and miss nothing; SSE also takes `Last-Event-ID`. */
export const STREAMS = { sse: "/api/events", websocket: "/api/ws" } as const;

/** Where an agent is connected to Parley: answered with a stream of requests to it. */
export const LINK = "/hook/link";
