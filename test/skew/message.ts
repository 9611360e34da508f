/** One request of a hook or command, and what its own version's daemon answered. */
export type Message = {
  step: string;
  as: "agent" | "human";
  method: string;
  path: string;
  once?: boolean;
  body?: Record<string, unknown>;
  status: number;
  reply: unknown;
};
