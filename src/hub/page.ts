import { ParleyError } from "../core/error.ts";
import { HUB_MARK } from "../protocol/hub/hub-mark.ts";
import { type PageFile, type PageFiles, sentFile } from "../protocol/page-file.ts";
import { PREVIEW_HEADERS } from "../protocol/page-headers.ts";
import type { AskView } from "../protocol/view.ts";
import type { HubRecords } from "../store/hub/records.ts";
import { cookieOf } from "./ask-views.ts";
import { digestOf } from "./digest.ts";
import { seesProjects } from "./may.ts";

type Deps = {
  files: PageFiles;
  records: HubRecords;
  now: () => number;
  origin: string | undefined;
  cookie: string;
};
const PREVIEW = /^\/preview\/([a-z0-9]{1,40})\/(\d{1,3})\/(\d{1,3})$/;

/** The daemon's own page, told that a hub serves it. Undefined: not for us. */
export function createHubPage({ files, records, now, origin, cookie }: Deps) {
  let made: Promise<ReadonlyMap<string, PageFile>> | undefined;

  async function marked(): Promise<ReadonlyMap<string, PageFile>> {
    const all = new Map(await files());
    const page = all.get("/");
    if (!page) return all;
    const mark = `<html ${HUB_MARK.attribute}="${HUB_MARK.value}"`;
    const body = new TextEncoder().encode(new TextDecoder().decode(page.body).replace(/<html\b/, mark));
    // The autopilot's page is about one machine.
    all.delete("/trust");
    return all.set("/", { ...page, body, gzip: Bun.gzipSync(body, { level: 9 }) });
  }

  async function preview(request: Request, id: string, question: number, option: number): Promise<Response> {
    const proof = new URL(request.url).searchParams.get("page") ?? "";
    const hash = await records.sessionOfPreview(digestOf(`${cookieOf(request, cookie)}.${proof}`));
    const who = hash === undefined ? undefined : await records.actor(hash, now());
    if (!who) throw new ParleyError("unauthorized", "This browser is not signed in");
    const [found] = await records.asksLike(id, seesProjects(who));
    const html = (found?.view as AskView | undefined)?.questions[question]?.options[option]?.preview;
    if (html === undefined) throw new ParleyError("not_found", "This option has no preview");
    return new Response(html, { headers: PREVIEW_HEADERS });
  }

  return async function handle(request: Request): Promise<Response | undefined> {
    if (request.method !== "GET") return undefined;
    const url = new URL(request.url);
    const shown = PREVIEW.exec(url.pathname);
    if (shown) return preview(request, shown[1] ?? "", Number(shown[2]), Number(shown[3]));
    if (url.pathname.startsWith("/api/")) return undefined;
    // A passkey is for one host name: whoever comes by another is sent there, where that is this very machine.
    if (url.pathname === "/" && origin !== undefined && isOtherDoor(request, origin))
      return Response.redirect(`${origin}/`, 307);
    const file = (await (made ??= marked())).get(url.pathname);
    return file && sentFile(request, file);
  };
}

/** By an address of loopback, where the page is at `localhost`. */
function isOtherDoor(request: Request, origin: string): boolean {
  const { host, hostname } = new URL(`http://${request.headers.get("host") ?? ""}`);
  return new URL(origin).hostname === "localhost" && /^(127\.|\[::1\])/.test(hostname) && host !== new URL(origin).host;
}
