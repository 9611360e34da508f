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
  listSessions: { method: "GET", path: "/api/sessions" },
  readLog: { method: "GET", path: "/api/log" },
  welcome: { method: "POST", path: "/api/welcome" },
  prune: { method: "POST", path: "/api/prune" },
  config: { method: "GET", path: "/api/config" },
  openPage: { method: "POST", path: "/api/page/code" },
  listBrowsers: { method: "GET", path: "/api/page/browsers" },
  endBrowser: { method: "POST", path: "/api/page/browsers/end" },
  listAgents: { method: "GET", path: "/api/agents" },
  setupAgent: { method: "POST", path: "/api/agents/setup" },
  notifyTest: { method: "POST", path: "/api/notify/test" },
  shutdown: { method: "POST", path: "/api/shutdown" },
  hookCall: { method: "POST", path: "/hook/call" },
  hookAck: { method: "POST", path: "/hook/ack" },
  hookRelease: { method: "POST", path: "/hook/release" },
} as const;

/** Live events. Both begin after `after` and miss nothing; SSE also takes `Last-Event-ID`. */
export const STREAMS = { sse: "/api/events", websocket: "/api/ws" } as const;
