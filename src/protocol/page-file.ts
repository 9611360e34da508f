import { safeLine } from "../core/text/text.ts";
import { PAGE_HEADERS } from "./page-headers.ts";

/** `fixed`: its name changes with its content, so a browser may keep it for ever. */
export type PageFile = { body: Uint8Array<ArrayBuffer>; gzip?: Uint8Array<ArrayBuffer>; type: string; fixed: boolean };
export type PageFiles = () => Promise<ReadonlyMap<string, PageFile>>;

export function sentFile(request: Request, { body, gzip, type, fixed }: PageFile): Response {
  const zipped = gzip !== undefined && (request.headers.get("accept-encoding") ?? "").includes("gzip");
  return new Response(zipped ? gzip : body, {
    headers: {
      ...PAGE_HEADERS,
      "content-type": type,
      "cache-control": fixed ? "public, max-age=31536000, immutable" : "no-cache",
      vary: "accept-encoding",
      ...(zipped && { "content-encoding": "gzip" }),
    },
  });
}

/** `Firefox on Linux`, as far as the browser says so. */
export function browserName(agent: string): string {
  const browser = ["Firefox", "Edg", "Chrome", "Safari"].find((name) => agent.includes(`${name}/`)) ?? "A browser";
  const system = ["iPhone", "iPad", "Android", "Macintosh", "Windows", "Linux"].find((name) => agent.includes(name));
  const names: Record<string, string> = { Edg: "Edge", Macintosh: "Mac" };
  const named = (name: string) => names[name] ?? name;
  return safeLine(system === undefined ? named(browser) : `${named(browser)} on ${named(system)}`, { max: 60 });
}
