import { mkdirSync, rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { ADDRESS, type SandboxNetwork } from "../../core/task/sandbox.ts";

/** A port of the sandbox's own loopback, and the socket that leads out of it. */
export type Way = { port: number; socket: string };
type Address = { host: string; port: number };
type Out = {
  folder: string;
  names: readonly string[];
  /** Never, whatever is named. */ isForbidden(to: Address): boolean;
};

/** Where a sandbox that reaches only what is named finds a proxy. */
export const PROXY_PORT = 3128;
const LONGEST_HEAD = 16 * 1024;

/** Undefined: it has a network of its own with nothing in it, or the machine's. */
export function namedIn(network: SandboxNetwork, reaches: readonly string[]): string[] | undefined {
  if (network === "none" || network === "host") return undefined;
  return [...new Set([...reaches, ...(network === "agent" ? [] : network)])];
}

/**
 * The way out of a sandbox that has a loopback of its own: what is named on this machine's loopback is there at the same
 * port, everything else that is named is reached through a proxy (CONNECT), and nothing else is.
 */
export async function openWays({ folder, names, isForbidden }: Out): Promise<{ ways: Way[]; close(): void }> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const addresses = names.flatMap((name) => parsed(name) ?? []);
  const local = addresses.filter(({ host }) => isLoopback(host));
  const servers: Server[] = [];
  const open = new Set<Socket>();
  const listen = async (name: string, taken: (socket: Socket) => void): Promise<string> => {
    const server = createServer((socket) => {
      open.add(socket);
      socket.on("close", () => open.delete(socket));
      socket.on("error", () => socket.destroy());
      taken(socket);
    });
    servers.push(server);
    const path = join(folder, `${name}.sock`);
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(path, () => resolve());
    });
    return path;
  };
  const ways: Way[] = [];
  for (const [i, to] of local.entries())
    ways.push({ port: to.port, socket: await listen(String(i), (socket) => lead(socket, to, isForbidden)) });
  const proxy = await listen("proxy", (socket) => serveProxy(socket, addresses, isForbidden));
  if (!ways.some(({ port }) => port === PROXY_PORT)) ways.push({ port: PROXY_PORT, socket: proxy });
  return {
    ways,
    close() {
      for (const server of servers) server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

function lead(socket: Socket, to: Address, isForbidden: Out["isForbidden"], first?: Buffer): Socket | undefined {
  if (isForbidden(to)) return void socket.destroy();
  const out = connect(to.port, to.host);
  out.on("error", () => socket.destroy());
  out.on("close", () => socket.destroy());
  socket.on("close", () => out.destroy());
  if (first && first.length > 0) out.write(first);
  socket.pipe(out);
  out.pipe(socket);
  return out;
}

function serveProxy(socket: Socket, allowed: readonly Address[], isForbidden: Out["isForbidden"]): void {
  let head = Buffer.alloc(0);
  const refuse = (why: string) => socket.end(`HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain\r\n\r\n${why}\n`);
  const read = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf("\r\n\r\n");
    if (end < 0) return head.length > LONGEST_HEAD ? void socket.destroy() : undefined;
    socket.off("data", read);
    socket.pause();
    const [, name = ""] = /^CONNECT (\S+) HTTP\/1\.[01]\r?$/m.exec(head.subarray(0, end).toString("latin1")) ?? [];
    const to = parsed(name.toLowerCase());
    const isNamed = to && allowed.some(({ host, port }) => host === to.host && port === to.port);
    if (!to || !isNamed)
      return void refuse(`This sandbox does not reach ${name || "that"}: its network is named when it is made`);
    const out = lead(socket, to, isForbidden, head.subarray(end + 4));
    out?.once("connect", () => socket.write("HTTP/1.1 200 Connection established\r\n\r\n"));
    socket.resume();
  };
  socket.on("data", read);
}

function parsed(name: string): Address | undefined {
  const [, host = "", port = ""] = ADDRESS.exec(name) ?? [];
  return host === "" || Number(port) > 65_535
    ? undefined
    : { host: host.replace(/^\[|\]$/g, "").toLowerCase(), port: Number(port) };
}

export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || /^127(\.\d+){3}$/.test(host);
