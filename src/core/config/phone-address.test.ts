import { expect, test } from "bun:test";
import { refusedForPhone } from "./phone-address.ts";

test.each([
  "https://laptop.tail1234.ts.net",
  "https://laptop.example.net:8443",
  "https://laptop.example.net/",
  "http://localhost:4747",
  "http://127.0.0.1:4747",
])("[WP5] a phone may come by %s", (address) => {
  expect(refusedForPhone(address)).toBeUndefined();
});

test.each([
  ["https://192.168.1.20", "no name"],
  ["https://3232235796", "no name"],
  ["https://[fd00::1]:4747", "no name"],
  ["http://laptop.lan", "https://"],
  ["http://192.168.1.20:4747", "no name"],
  ["https://laptop.example.net/parley", "without a path"],
  ["https://me:secret@laptop.example.net", "without a path"],
  ["laptop.example.net", "such as"],
  ["ftp://laptop.example.net", "such as"],
  ["", "such as"],
])("[WP6] not by %s, and why is said", (address, why) => {
  expect(refusedForPhone(address)).toContain(why);
});
