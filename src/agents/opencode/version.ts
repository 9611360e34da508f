import { z } from "zod";
import type { HttpCall } from "./reply.ts";

/** Answered by 1.1.11, 1.3.2 and 1.18.33, also before a folder is open. */
export const HEALTH: HttpCall = { method: "GET", path: "/global/health" };

const Health = z.looseObject({ version: z.string() });

export function versionInHealth(body: unknown): string | undefined {
  return versionIn(Health.safeParse(body).data?.version ?? "");
}

/** In what `opencode --version` prints. */
export function versionIn(output: string): string | undefined {
  return /\d+\.\d+\.\d+(-[\w.-]+)?/.exec(output.slice(0, 1000))?.[0];
}
