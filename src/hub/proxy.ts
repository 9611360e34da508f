import { BlockList, isIP } from "node:net";
import { ParleyError } from "../core/error.ts";
import { isLoopback } from "../machine/hub-url.ts";

/** Whoever asks, as far as it is known: a proxy is believed only where it was said that it is one. */
export type Caller = { address: string; isSecure: boolean };
export type Proxies = { isTrusted(address: string): boolean };

/** Networks such as 10.0.0.0/8, or addresses. Contract: throws what a person is told for what is neither. */
export function trustedProxies(networks: readonly string[]): Proxies {
  const list = new BlockList();
  for (const network of networks) {
    const [, address = "", bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(network) ?? [];
    const version = isIP(address);
    const most = version === 4 ? 32 : 128;
    if (version === 0 || Number(bits ?? most) > most)
      throw new ParleyError("usage", `--trusted-proxy: expected a network such as 10.0.0.0/8, not "${network}"`);
    list.addSubnet(address, Number(bits ?? most), version === 4 ? "ipv4" : "ipv6");
  }
  return {
    isTrusted(given) {
      const address = bare(given);
      return isIP(address) !== 0 && list.check(address, isIP(address) === 4 ? "ipv4" : "ipv6");
    },
  };
}

/** Who is behind the proxies: of those named, the last one that is no proxy itself. What that one claims is not believed. */
export function callerOf(from: string, headers: Headers, isTls: boolean, proxies: Proxies): Caller {
  const peer = bare(from);
  if (!proxies.isTrusted(peer)) return { address: peer, isSecure: isTls || isLoopback(peer) };
  const named = (headers.get("x-forwarded-for") ?? "").split(",").map((each) => bare(each.trim()));
  const address = named.findLast((each) => !proxies.isTrusted(each));
  const scheme = headers.get("x-forwarded-proto")?.split(",").at(-1)?.trim().toLowerCase();
  const known = address !== undefined && isIP(address) !== 0 ? address : peer;
  return { address: known, isSecure: isTls || scheme === undefined || scheme === "https" || isLoopback(known) };
}

/** An IPv4 address may come in the clothes of IPv6. */
const bare = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "");
