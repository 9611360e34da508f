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

/** opencode 2, whose terminals share a service; until it is published as 2.x its builds are `0.0.0-next-…`. */
export const isSecond = (version: string): boolean => /^(?:[2-9]\.|[1-9]\d+\.|0\.0\.0-)/.test(version);
