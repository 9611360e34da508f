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
  giveGrant: "Only a person may give a grant",
  declineGrant: "Only a person may decline a grant",
  editGrant: "Only a person may change a grant",
  revokeGrant: "Only a person may revoke a grant",
  snoozeAsk: "Only a person may snooze a question",
  dismissSession: "Only a person may dismiss a session",
  putDraft: "Only a person may fill in an answer",
  withdrawAsk: "anyone",
  welcome: "anyone",
  prune: "Only a person may remove what was asked",
  openPage: "Only a person may sign in to the page",
  endBrowser: "Only a person may sign a browser out",
  phoneCode: "Only a person may pair a phone",
  endPhone: "Only a person may revoke a phone",
  pushTo: "Only a person may have questions pushed to a browser",
  pushReply: "Only a person may answer by a notification",
  newTokens: "Only a person may make new tokens",
  setupAgent: "Only a person may set up an agent",
  notifyTest: "anyone",
  notifyPair: "Only a person may pair a chat",
  notifyUnpair: "Only a person may unpair a chat",
  createTask: "agent",
  taskFeedback: "agent",
  taskRetry: "Only a person may start a task again",
  taskCancel: "Only a person may cancel a task",
  taskDone: "Only a person may mark a task done",
  taskApply: "Only a person may apply a task's work",
  taskDiscard: "Only a person may discard a task's work",
  taskRemove: "Only a person may remove a task",
  watchPane: "agent",
  unwatchPane: "Only a person may stop watching a pane",
  watchServer: "Only a person may connect Parley to a server",
  unwatchServer: "Only a person may stop watching a server",
  answerPane: "agent",
  acceptProposal: "Only a person may accept what the autopilot proposes",
  undoAutopilot: "Only a person may take an answer back",
  autopilotPause: "agent",
  autopilotTest: "anyone",
  setTrust: "Only a person may trust a project's file",
  withdrawTrust: "Only a person may say whom they trust",
  reviewAsk: "Only a person may judge what was answered in their place",
  autopilotReplay: "anyone",
  tellMismatches: "agent",
  joinHub: "Only a person may join a hub",
  acceptHub: "Only a person may accept what a hub has changed",
  leaveHub: "Only a person may leave a hub",
  shutdown: "Only a person may stop Parley",
  hookCall: "anyone",
  hookAck: "anyone",
  hookRelease: "anyone",
  hookLinkEvents: "anyone",
  hookLinkReplies: "anyone",
};

/** What commands do without the daemon, or before they ask it. All others only call endpoints. */
export const COMMANDS_OF_A_PERSON = {
  "config-set": "Only a person may change the settings",
  container: "Only a person may let a container ask here",
  down: WHO_MAY.shutdown,
  hub: "Only a person may run a hub",
  "hub-answer": "Only a person may answer through a hub",
  "hub-task": "Only a person may give a task through a hub",
  restart: "Only a person may restart Parley",
  restore: "Only a person may restore a backup",
  serve: "Only a person may run Parley in a terminal",
  service: "Only a person may change the service",
  setup: WHO_MAY.setupAgent,
  uninstall: "Only a person may uninstall Parley",
  upgrade: "Only a person may upgrade Parley",
  up: "Only a person may start Parley again after parley down",
} as const;

export const isForAgents = (who: string): boolean => who === "agent" || who === "anyone";
/** What is said to somebody who is none. */
export const refusal = (sentence: string): string => `${sentence}; this comes from inside an agent's session`;
