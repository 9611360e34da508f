import { expect, test } from "bun:test";
import { createStrangers, networkOf } from "./strangers.ts";

test.each([
  ["10.0.0.1", "10.0.0.1"],
  ["::1", "0:0:0:0::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:0DB8:0:0:ffff::", "2001:db8:0:0::/64"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["64:ff9b::10.0.0.1", "64:ff9b:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["", ""],
])("[HU15] lines from %s are counted as those of %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test("[HU15] a place that is given back twice is one place, and an address without lines is forgotten", () => {
  const strangers = createStrangers({ now: () => 0, log: () => undefined });
  const free = Array.from({ length: 500 }, () => strangers.enter("10.0.0.1"));
  expect(strangers.enter("10.0.0.1")).toBeUndefined();
  free[0]?.();
  free[0]?.();
  expect([strangers.enter("10.0.0.1"), strangers.enter("10.0.0.1")]).toEqual([expect.any(Function), undefined]);
  expect([strangers.count(), strangers.refused()]).toEqual([500, { all: 0, address: 2 }]);
});
