import type { Ask } from "../../core/ask/ask.ts";
import type { AutopilotConfig } from "../../core/config/autopilot.ts";
import type { Store } from "../../store/store.ts";

const HOUR_MS = 3_600_000;

export type Budget = ReturnType<typeof createBudget>;

/** How much the autopilot may do by itself before a person has to look. Counted in the store: a restart forgets nothing. */
export function createBudget({ store, now }: { store: Store; now: () => number }) {
  const lastHour = () => store.spent({ since: now() - HOUR_MS });
  return {
    lastHour,
    /** Why no more may be done for this Ask; undefined: it may. */
    async spent({ origin: { session } }: Ask, values: AutopilotConfig): Promise<string | undefined> {
      const { budget_per_session: perSession, budget_per_hour: perHour } = values;
      if (perHour > 0 && (await lastHour()) >= perHour) return `this hour's budget is used up (${perHour})`;
      if (perSession === 0 || session === undefined) return undefined;
      return (await store.spent({ session })) >= perSession
        ? `this session's budget is used up (${perSession})`
        : undefined;
    },
  };
}
