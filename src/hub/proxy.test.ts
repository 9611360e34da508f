import { expect, test } from "bun:test";
import { callerOf, trustedProxies } from "./proxy.ts";

const proxies = trustedProxies(["10.0.0.0/8", "192.0.2.7", "2001:db8::/32"]);
const caller = (from: string, headers: Record<string, string> = {}, isTls = false) =>
  callerOf(from, new Headers(headers), isTls, proxies);

test("[HA8] what a proxy says of who asks is believed of those named alone, and of them the last that is none", () => {
  const claims = { "x-forwarded-for": "198.51.100.1", "x-forwarded-proto": "https" };
  expect(caller("203.0.113.5", claims)).toEqual({ address: "203.0.113.5", isSecure: false });
  expect(caller("192.0.2.8", claims).isSecure).toBe(false);
  expect(caller("203.0.113.5", claims, true)).toEqual({ address: "203.0.113.5", isSecure: true });
  for (const from of ["10.1.2.3", "::ffff:10.1.2.3", "192.0.2.7", "2001:db8::1"])
    expect(caller(from, claims)).toEqual({ address: "198.51.100.1", isSecure: true });
  const lied = { "x-forwarded-for": "127.0.0.1, 198.51.100.1, 10.9.9.9" };
  expect(caller("10.1.2.3", lied).address).toBe("198.51.100.1");
  expect(caller("10.1.2.3", { "x-forwarded-proto": "http", "x-forwarded-for": "198.51.100.1" }).isSecure).toBe(false);
  for (const odd of ["", "nobody", "10.0.0.1", ",,"])
    expect(caller("10.1.2.3", { "x-forwarded-for": odd }).address).toBe("10.1.2.3");
  for (const from of ["127.0.0.1", "::1"]) expect(caller(from)).toEqual({ address: from, isSecure: true });
  for (const wrong of ["", "nobody", "10.0.0.0/33", "::/129", "10.0.0.0/8/8", "10.0.0/8"])
    expect(() => trustedProxies([wrong])).toThrow("--trusted-proxy");
});
