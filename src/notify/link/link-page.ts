import { isCall } from "../../core/form/rows.ts";
import { askTitle } from "../../core/ask/title.ts";
import { safeLine, safeText } from "../../core/text/text.ts";
import type { Links, Seen } from "./links.ts";

const STATUS: Record<Seen["state"], number> = {
  ready: 200,
  done: 200,
  unknown: 404,
  used: 410,
  expired: 410,
  settled: 409,
  refused: 403,
};
const HEADERS = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex",
  "x-content-type-options": "nosniff",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
};

/**
 * What stands behind the links. GET only shows what would happen: chat programs and mail scanners follow links.
 * Contract: `hosts` are the names this may be called by; any other is refused (DNS rebinding).
 */
export async function linkPage(request: Request, links: Links, hosts: readonly string[]): Promise<Response> {
  const host = (request.headers.get("host") ?? "").toLowerCase();
  if (!hosts.includes(host))
    return say(request, 403, "This address is not the one in notify.link_base or web.address.");
  const code = /\/act\/([\w-]{20,100})$/.exec(new URL(request.url).pathname)?.[1];
  if (code === undefined) return say(request, 404, "There is nothing here.");
  if (request.method === "POST") {
    const seen = await links.act(code);
    return say(request, STATUS[seen.state], seen.state === "ready" ? "Not answered; try again." : seen.words);
  }
  if (request.method !== "GET" && request.method !== "HEAD") return say(request, 405, "Only GET and POST.");
  const seen = await links.look(code);
  return seen.state === "ready" ? html(200, question(seen)) : say(request, STATUS[seen.state], seen.words);
}

/** In the words of the person where a browser asks, as plain text for the button of an app. */
function say(request: Request, status: number, words: string): Response {
  if (request.headers.get("accept")?.includes("text/html")) return html(status, `<p>${escaped(words)}</p>`);
  return new Response(`${words}\n`, { status, headers: { ...HEADERS, "content-type": "text/plain; charset=utf-8" } });
}

function question({ ask, label }: Seen & { state: "ready" }): string {
  const [first] = ask.questions;
  const title = askTitle(ask, { max: 80 });
  const project = safeLine(ask.origin.project ?? "", { max: 60 });
  return [
    `<p>${escaped([project, title].filter(Boolean).join(" · "))}</p>`,
    `<h1>${escaped(safeText(first?.text ?? "", { max: 2000 }))}</h1>`,
    ...(first?.body ? [`<pre>${escaped(safeText(first.body, { max: 2000 }))}</pre>`] : []),
    // Approve and Deny say what they do.
    `<form method="post"><button>${first && isCall(first) ? "" : "Answer: "}${escaped(label)}</button></form>`,
  ].join("\n");
}

function html(status: number, body: string): Response {
  const style =
    "body{font:1.1rem/1.5 system-ui;max-width:40rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}" +
    "h1,pre{font-size:1.2rem;white-space:pre-wrap;overflow-wrap:anywhere}button{font:inherit;padding:.7rem 1.2rem}";
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Parley</title>`;
  const page = `<!doctype html><html lang="en">${head}<style>${style}</style>\n${body}\n</html>\n`;
  return new Response(page, { status, headers: { ...HEADERS, "content-type": "text/html; charset=utf-8" } });
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
