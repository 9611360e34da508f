import type { EndpointName } from "../../src/protocol/contract.ts";
import { ANSWER, question } from "./api-request.ts";

export type Call = { id?: string; query?: string; body?: unknown; good?: number };
/** A good request to each endpoint; `:id` is an Ask made for it. */
export const CALLS: Record<EndpointName, Call> = {
  health: {},
  openapi: {},
  metrics: {},
  status: {},
  listAsks: {},
  getAsk: {},
  createAsk: { body: { questions: [question()] } },
  snoozeAsk: { body: { minutes: 1 } },
  getDraft: {},
  putDraft: { body: { draft: null } },
  settleAsk: { body: { action: "answer", answers: ANSWER } },
  receiveAnswer: {},
  withdrawAsk: {},
  listSessions: {},
  readLog: {},
  welcome: {},
  prune: { body: { days: 1 } },
  config: {},
  openPage: {},
  listBrowsers: {},
  endBrowser: { body: { id: "nobody" } },
  listAgents: {},
  setupAgent: { body: { agent: "claude-code", change: "what nobody was shown" }, good: 422 },
  notifyTest: { body: { channel: "webhook" } },
  shutdown: {},
  hookCall: { body: { agent: "none", call: "c", waits: false, payload: {}, facts: {} } },
  hookAck: { body: { call: "c", handed: [] } },
  hookRelease: { body: { call: "c", reason: "signal" } },
};
