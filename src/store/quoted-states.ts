/** Literals, not parameters: engines use a partial index only where its own condition stands in the query. */
export function quotedStates(states: readonly string[]): string {
  return states.map((state) => `'${state.replaceAll("'", "")}'`).join(", ");
}
