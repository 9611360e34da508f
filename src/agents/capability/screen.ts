export type Row = {
  /** `all`: ticks every option at once. */
  kind: "option" | "own-words" | "advance" | "chat" | "send" | "cancel" | "all";
  number?: number | undefined;
  /** Label and description of an option; what is typed into own words. */
  text: string;
  /** Only where several can be picked. */
  checked?: boolean | undefined;
  cursor: boolean;
  /** Of own words: nobody can tell whether somebody typed it or it is a hint of the agent's, which gives way to a text. */
  maybeHint?: boolean | undefined;
};
export type Tab = { header: string; done: boolean };
export type QuestionScreen = {
  type: "question";
  text: string;
  /** The terminal is too low: the head of the dialog is above its first line. */
  cut: boolean;
  tabs: Tab[];
  multiSelect: boolean;
  preview: boolean;
  notes?: { open: boolean; text: string } | undefined;
  rows: Row[];
  /** How many dialogs that were answered before are still to be seen above. */
  settled: number;
};
export type ReviewScreen = { type: "review"; text: string; cut: boolean; rows: Row[] };
/** A call that waits for leave. `about`: its first line. `shown`: what would be done, as far as it is drawn. */
export type ApprovalScreen = { type: "approval"; about: string; shown: string; rows: Row[] };
export type Screen =
  | QuestionScreen
  | ReviewScreen
  | ApprovalScreen
  /** No dialog: the agent's input box. */
  | { type: "prompt"; draft: string }
  /** `remains`: a part of a dialog is there. */
  | { type: "unknown"; why: string; remains: boolean };
