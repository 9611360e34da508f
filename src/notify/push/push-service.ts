import { lookup } from "node:dns/promises";
import { isIP, BlockList } from "node:net";
import { SendError } from "../messenger.ts";

const INSIDE = new BlockList();
for (const [net, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const)
  INSIDE.addSubnet(net, bits, "ipv4");
for (const [net, bits] of [
  ["::", 127],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
] as const)
  INSIDE.addSubnet(net, bits, "ipv6");

/**
 * Why nothing is sent to this address; undefined: it may be. A browser names it, so it must not lead into the person's own
 * network. `isPrivateFine`: they run a push service there.
 */
export function refusedService(endpoint: string, isPrivateFine: boolean): string | undefined {
  const url = URL.parse(endpoint);
  if (!url || endpoint.length > 2000) return "that is no address of a push service";
  const host = hostOf(url);
  const isHere = host === "localhost" || host === "127.0.0.1" || host === "::1";
  if (url.username !== "" || url.password !== "") return "the address of a push service has no password in it";
  if (url.protocol !== "https:" && !(isPrivateFine && isHere && url.protocol === "http:"))
    return "a push service is reached over https only";
  if (isPrivateFine) return undefined;
  const isName = isIP(host) === 0 && host.includes(".") && !/\.(localhost|local|internal|home\.arpa)\.?$/.test(host);
  return isName || (isIP(host) !== 0 && !isInside(host)) ? undefined : PRIVATE;
}

/** The same for where its name leads now. Contract: throws a SendError where nothing may be sent. */
export async function checkService(endpoint: string, isPrivateFine: boolean, signal: AbortSignal): Promise<void> {
  const refusal = refusedService(endpoint, isPrivateFine);
  if (refusal !== undefined) throw new SendError(refusal, { again: false });
  const host = hostOf(new URL(endpoint));
  if (isPrivateFine || isIP(host) !== 0) return;
  const found = await lookup(host, { all: true }).catch((error: NodeJS.ErrnoException) => {
    throw new SendError(`${host} cannot be reached (${error.code})`, { again: true });
  });
  signal.throwIfAborted();
  if (found.some(({ address }) => isInside(address))) throw new SendError(PRIVATE, { again: false });
}

export function isInside(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return INSIDE.check(mapped, "ipv4");
  // The same in hexadecimal.
  if (/^::ffff:/i.test(address)) return true;
  return INSIDE.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

const PRIVATE = "that push service is in a private network: notify.push.private_services allows it";
const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, "").toLowerCase();
