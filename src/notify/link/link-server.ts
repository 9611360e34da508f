import type { Notify } from "../../core/config/config.ts";
import type { Log } from "../../machine/log.ts";
import { linkPage } from "./link-page.ts";
import type { Links } from "./links.ts";

export type LinkServer = ReturnType<typeof createLinkServer>;

/**
 * A port of its own, so that the person's tunnel leads to the links and to nothing else of the daemon.
 * It is there while `notify.link_base` is set.
 */
export function createLinkServer({ links, log }: { links: Links; log: Log }) {
  let server: Bun.Server<undefined> | undefined;
  let wanted = "";
  let host = "";

  return {
    /** Contract: afterwards it listens as the config says, or `port` is undefined and the log says why. */
    follow({ link_base, link_port }: Notify): void {
      host = link_base === "" ? "" : new URL(link_base).host;
      const now = link_base === "" ? "" : String(link_port);
      const isNew = now !== wanted;
      if (!isNew && (server || now === "")) return;
      wanted = now;
      void server?.stop(true);
      server = undefined;
      if (now === "") return;
      try {
        server = listen(link_port);
        log("info", "links are served", { port: server.port });
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        // It tries again at every look; once in the log is enough.
        if (isNew) log("warn", "links cannot be served", { port: link_port, error: String(code) });
      }
    },
    get port(): number | undefined {
      return server?.port;
    },
    async stop(): Promise<void> {
      wanted = "";
      await server?.stop(true);
      server = undefined;
    },
  };

  function listen(port: number): Bun.Server<undefined> {
    return Bun.serve({
      hostname: "127.0.0.1",
      port,
      idleTimeout: 10,
      // Nobody has anything to send here.
      maxRequestBodySize: 4096,
      async fetch(request, { port: bound }) {
        const names = ["127.0.0.1", "localhost"].map((name) => `${name}:${bound}`);
        return linkPage(request, links, [host, ...names]).catch((error: unknown) => {
          log("error", "a link failed", { error: String(error) });
          return new Response("It did not work; see your inbox.\n", { status: 500 });
        });
      },
    });
  }
}
