/** What an agent's own record says came out of one question, already read out of the agent's encoding. */
export type ReceivedChoice = {
  labels: string[];
  text?: string;
  note?: string;
  /** The agent's own string. */ raw?: string;
};
export type Decider = "person" | "hook";
export type Received =
  /**
   * `text`: what the model read. `decidedBy`: who the agent says answered, where it says so. A choice that cannot be
   * read is undefined; `unread` is what the record holds instead, empty if nothing.
   */
  | {
      type: "answers";
      choices: (ReceivedChoice | undefined)[];
      unread?: string;
      text: string;
      decidedBy?: Decider;
    }
  /** A tool call that was let through, whatever came of it. `pick`: by which option, where that is known. */
  | { type: "ran"; text: string; isError: boolean; decidedBy?: Decider; pick?: number }
  /** `isOnlyWay`: its dialog has no other row or key to leave it unanswered, whatever a person means by it. */
  | { type: "refused"; by: "escape" | "chat"; text: string; isOnlyWay?: boolean }
  /**
   * `by`: who refused it, where the agent says so; else a hook of somebody else's. `isWordless`: its agent writes down that
   * it was refused, and never with which words.
   */
  | { type: "denied"; text: string; by?: string; isWordless?: boolean }
  | { type: "timed-out"; text: string }
  /** The session was cut off before a result was recorded; an answer kept for it is still owed. */
  | { type: "interrupted"; text: string }
  | { type: "lost"; text: string };
