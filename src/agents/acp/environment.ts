import type { AgentEnvironment } from "../environment.ts";

export const environment: AgentEnvironment = { places: [], marks: ["PARLEY_ACP"], account: [] };
