/** What waits for somebody is named by its address: `/api/session/<id>/form/<id>`, in a folder where no session owns it. */
export function requestOf(kind: "form" | "question" | "permission", session: string, id: string, folder = ""): string {
  const path = `/api/session/${encodeURIComponent(session.toWellFormed())}/${kind}/${encodeURIComponent(id.toWellFormed())}`;
  return isOwned(session) ? path : `${path}?${inFolder(folder)}`;
}

/** The address for one of the things that can be done with it. */
export function addressOf(request: string, verb: "reply" | "reject" | "cancel"): string {
  const [path = "", query] = request.split("?");
  return `${path}/${verb}${query === undefined ? "" : `?${query}`}`;
}

export const inFolder = (folder: string): string =>
  `location%5Bdirectory%5D=${encodeURIComponent(folder.toWellFormed())}`;

/** Forms of MCP servers belong to a folder: opencode does not know for which session they ask. */
export const isOwned = (session: string): boolean => session !== "global";
