import type { AgentEnvironment } from "../capability/environment.ts";

export const environment: AgentEnvironment = { places: [], marks: ["PARLEY_ACP"], account: [] };
