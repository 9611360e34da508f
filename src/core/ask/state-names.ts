/** The states of an Ask, in the order of its life. */
export const ASK_STATES = ["open", "settled", "delivered", "verified", "mismatched", "closed"] as const;
