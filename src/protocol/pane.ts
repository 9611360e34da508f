import { z } from "zod";
import { ADDRESSES } from "./address.ts";
import type { Endpoint } from "./endpoint.ts";
import { AskView } from "./view.ts";

/** A tmux pane: the socket of its server, and tmux's own id of it. */
const PaneName = z.strictObject({
  server: z.string().regex(/^\//, "expected the absolute path of a tmux server's socket").max(1000),
  id: z.string().regex(/^%\d+$/, "expected a pane's id, such as %3"),
});
const WatchedPane = z.looseObject({
  server: z.string(),
  id: z.string(),
  /** Of the server: another one at the same socket has other panes. */
  pid: z.number().int().optional(),
  sees: z.string(),
});

/** An agent's own server. */
const ServerName = z.strictObject({
  url: z.string().max(1000),
  passwordFile: z.string().regex(/^\//, "expected an absolute path").max(1000).optional(),
});
const WatchedServer = z.looseObject({ url: z.string(), sees: z.string() });

export const PANE_ENDPOINTS = {
  listServers: {
    ...ADDRESSES.listServers,
    needs: "human",
    about: "Agents' own servers that are watched",
    result: z.looseObject({ servers: z.array(WatchedServer) }),
  },
  watchServer: {
    ...ADDRESSES.watchServer,
    needs: "human",
    about: "Connect to an agent's own server: what it asks becomes Asks, and answers go back to it",
    body: ServerName,
    result: WatchedServer,
  },
  unwatchServer: {
    ...ADDRESSES.unwatchServer,
    needs: "human",
    about: "Connect to it no longer",
    body: ServerName,
    result: z.looseObject({ watched: z.boolean() }),
  },
  listPanes: {
    ...ADDRESSES.listPanes,
    needs: "human",
    about: "Panes that are watched for dialogs",
    result: z.looseObject({ panes: z.array(WatchedPane) }),
  },
  watchPane: {
    ...ADDRESSES.watchPane,
    needs: "human",
    about: "Watch a tmux pane: a dialog on its screen becomes an Ask, answered by keys",
    body: PaneName,
    result: WatchedPane,
  },
  unwatchPane: {
    ...ADDRESSES.unwatchPane,
    needs: "human",
    about: "Watch it no longer",
    body: PaneName,
    result: z.looseObject({ watched: z.boolean() }),
  },
  answerPane: {
    ...ADDRESSES.answerPane,
    needs: "human",
    about: "Answer the dialog of a session or a pane with one action for each question, numbered from 0",
    body: z.strictObject({
      session: z.string().max(200).optional(),
      pane: PaneName.optional(),
      actions: z.array(z.unknown()).max(100),
      /** The agent session the caller runs inside, if any: such a caller is an agent, not a person. */
      inside: z.string().max(200).optional(),
    }),
    result: AskView,
  },
} as const satisfies Record<string, Endpoint>;
