/** What an agent asks leave for, as far as a name needs it. `cwd`: where the agent works; paths below it are shown from there. */
export type Call =
  | { type: "command"; command: string }
  | { type: "write"; path: string; cwd?: string | undefined; added: number; removed: number }
  | { type: "read"; path: string; cwd?: string | undefined }
  | { type: "fetch"; url: string }
  | { type: "search"; query: string }
  | { type: "other"; tool: string; about: string };

/** What is kept of a name; a surface shows less. */
const MOST = 1000;

/** The name of a call, the same for every agent: `$ git push`, `write src/session.ts (+4 −1)`, `fetch example.com`. */
export function callTitle(call: Call): string {
  return titleOf(call).slice(0, MOST);
}

function titleOf(call: Call): string {
  switch (call.type) {
    case "command":
      return `$ ${oneLine(call.command)}`;
    case "write":
      return [`write ${shortPath(call)}`, changed(call)].filter(Boolean).join(" ");
    case "read":
      return `read ${shortPath(call)}`;
    case "fetch":
      return `fetch ${shortUrl(call.url)}`;
    case "search":
      return `search “${oneLine(call.query)}”`;
    case "other":
      return [call.tool, oneLine(call.about)].filter(Boolean).join(" ");
  }
}

/** The end of a line stays to be seen: what comes after it runs too. */
const oneLine = (text: string): string =>
  text
    .slice(0, MOST * 4)
    .trim()
    .replace(/\s*[\r\n]\s*/g, " ↵ ");

/** One outside of the folder is named in full. */
function shortPath({ path, cwd }: { path: string; cwd?: string | undefined }): string {
  const folder = cwd === undefined ? undefined : `${cwd.replace(/\/+$/, "")}/`;
  const isInside = folder !== undefined && path.startsWith(folder) && !path.includes("/../");
  return oneLine(isInside ? path.slice(folder.length) : path);
}

function changed({ added, removed }: { added: number; removed: number }): string {
  const parts = [...(added > 0 ? [`+${added}`] : []), ...(removed > 0 ? [`−${removed}`] : [])];
  return parts.length === 0 ? "" : `(${parts.join(" ")})`;
}

/** The host that is called comes first, whatever stands before it in the address. */
function shortUrl(url: string): string {
  const { protocol, host, pathname, search } = URL.parse(url) ?? {};
  if (!host) return oneLine(url);
  const scheme = protocol === "https:" ? "" : `${protocol}//`;
  return `${scheme}${host}${pathname === "/" ? "" : (pathname ?? "")}${search ?? ""}`;
}
