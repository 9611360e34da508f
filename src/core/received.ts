/** What an agent's own record says came out of one question, already read out of the agent's encoding. */
export type ReceivedChoice = {
  labels: string[];
  text?: string;
  note?: string;
  /** The agent's own string. */ raw?: string;
};
export type Received =
  | { type: "answers"; choices: (ReceivedChoice | undefined)[]; /** what the model read */ text: string }
  | { type: "refused"; by: "escape" | "chat"; text: string }
  | { type: "denied"; text: string }
  | { type: "timed-out"; text: string }
  | { type: "lost"; text: string };
