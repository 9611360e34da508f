import { readFileSync } from "node:fs";
import { hubUrl } from "../machine/hub-url.ts";

/** How a machine without anybody who could join it, such as a CI job, finds its hub. */
export type Job = { url: string; token: string; ca?: string };

/** Undefined: the environment names no token of a machine. Contract: throws where it does and cannot be used. */
export function jobFrom(env: Record<string, string | undefined>): Job | undefined {
  const [url, file, caFile] = [env["PARLEY_HUB"], env["PARLEY_HUB_MACHINE_TOKEN_FILE"], env["PARLEY_HUB_CA_FILE"]];
  const token = env["PARLEY_HUB_MACHINE_TOKEN"] ?? (file ? readFileSync(file, "utf8") : undefined);
  if (!token || token.trim() === "" || !url) return undefined;
  return {
    url: hubUrl(url, env["PARLEY_HUB_PLAIN_HTTP"] === "1"),
    token: token.trim(),
    ...(caFile && { ca: readFileSync(caFile, "utf8") }),
  };
}
