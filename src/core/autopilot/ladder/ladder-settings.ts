export type Step = {
  step: "rule" | "precedent" | "brain" | "human" | "stakes" | "gate" | "code" | "trust";
  name?: string;
  result: "decided" | "passed" | "held" | "suggested" | "asked" | "failed";
  why: string;
};

/** `brain` is asked when no rule decided; `brains` are those there are; `projectRules`: the person lets a project's own rules act. */
export type LadderSettings = { brain?: string; brains: readonly string[]; projectRules: boolean };
