import { request as open } from "node:http";
import { Readable } from "node:stream";
import type { Request } from "./wire.ts";

/** Node's own fetch knows no unix sockets. Contract: the same as fetch, for hosts of the embedded tool that run on Node. */
export function sendFromNode(
  socketPath: string,
  { method, path, body, signal }: Request,
  headers: Record<string, string>,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const options = { socketPath, method, path, headers: { ...headers, host: "parley" }, agent: false as const };
    const outgoing = open({ ...options, ...(signal && { signal }) }, (incoming) => {
      const stream = Readable.toWeb(incoming) as unknown as ReadableStream<Uint8Array>;
      const { statusCode: status = 500, headers: received } = incoming;
      resolve(new Response(stream, { status, headers: { "content-type": received["content-type"] ?? "" } }));
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
