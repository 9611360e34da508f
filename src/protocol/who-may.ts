import type { ADDRESSES } from "./address.ts";

type Addresses = typeof ADDRESSES;
/** Endpoints that change something, or may. */
export type Changing = { [N in keyof Addresses]: Addresses[N]["method"] extends "GET" ? never : N }[keyof Addresses];

/**
 * Who may do it. `anyone`: it changes nothing of a person's. `agent`: also from inside an agent's session, and it is
 * recorded as that agent's. A sentence: only a person; it is what anybody else is told.
 */
export const WHO_MAY: Record<Changing, string> = {
  createAsk: "agent",
  settleAsk: "agent",
  snoozeAsk: "Only a person puts a question aside",
  putDraft: "Only a person fills in an answer",
  withdrawAsk: "anyone",
  welcome: "anyone",
  prune: "Only a person removes what was asked",
  openPage: "Only a person signs in to the page",
  endBrowser: "Only a person signs a browser out",
  newTokens: "Only a person makes new tokens",
  setupAgent: "Only a person sets up an agent",
  notifyTest: "anyone",
  createTask: "agent",
  taskFeedback: "agent",
  taskRetry: "Only a person starts a task again",
  taskCancel: "Only a person cancels a task",
  taskDone: "Only a person calls a task done",
  taskRemove: "Only a person removes a task",
  watchPane: "agent",
  unwatchPane: "Only a person ends the watch over a pane",
  watchServer: "Only a person connects Parley to a server",
  unwatchServer: "Only a person ends the watch over a server",
  answerPane: "agent",
  acceptProposal: "Only a person accepts what the autopilot proposes",
  undoAutopilot: "Only a person takes an answer back",
  autopilotPause: "agent",
  autopilotTest: "anyone",
  setTrust: "Only a person trusts a project's file",
  withdrawTrust: "Only a person says whom they trust",
  reviewAsk: "Only a person judges what was answered in their place",
  autopilotReplay: "anyone",
  tellMismatches: "agent",
  shutdown: "Only a person stops Parley",
  hookCall: "anyone",
  hookAck: "anyone",
  hookRelease: "anyone",
  hookLinkEvents: "anyone",
  hookLinkReplies: "anyone",
};

/** What commands do without the daemon, or before they ask it. All others only call endpoints. */
export const COMMANDS_OF_A_PERSON = {
  down: WHO_MAY.shutdown,
  restart: "Only a person restarts Parley",
  restore: "Only a person restores a backup",
  serve: "Only a person runs Parley in a terminal",
  setup: WHO_MAY.setupAgent,
  up: "Only a person starts Parley again after parley down",
} as const;

export const isForAgents = (who: string): boolean => who === "agent" || who === "anyone";
/** What is said to somebody who is none. */
export const refusal = (sentence: string): string => `${sentence}; this comes from inside an agent's session`;
