import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { HUB_SCHEMA } from "./schema.ts";

/** Every step that has landed, by its digest. Only ever appended to: a table that is there is not made again by another text. */
const LANDED: readonly string[] = [
  "15c0b98e",
  "afc8b9db",
  "044638ad",
  "d0e90313",
  "24cf0d7c",
  "6a435d8b",
  "c624dbb7",
  "3e55a6f0",
  "05a3d00e",
  "04667bc1",
  "be20f55c",
  "161fa255",
  "eaca66f7",
  "3fbdbd21",
  "b345087c",
  "858b1188",
  "7724886a",
  "6a2a66a7",
  "21af4ccd",
  "d9b349bc",
  "27abcfd4",
  "b5ba4d58",
  "5bb09e31",
  "1a4bdf67",
  "2d4cace9",
  "24c187c0",
  "38c21eab",
  "f4adab66",
  "68be36e5",
  "903c0f15",
  "6f239a79",
  "7d1f0c55",
  "3272e945",
  "2d0316fe",
  "9a7b6559",
  "6c3cd640",
  "23d5ebc7",
  "575d896c",
  "75900136",
  "ba45c929",
  "dbc9a0bc",
  "44b49852",
  "b9cd4fe8",
  "d662b9ae",
  "fbd99bce",
  "ba16896a",
  "c4df9f34",
  "5af390b9",
  "361fc781",
];
const digestOf = (sql: string) => createHash("sha256").update(sql).digest("hex").slice(0, 8);

test("[HF4] a step of the hub's schema that has landed stays as it is and where it is", () => {
  expect(HUB_SCHEMA.map(digestOf)).toEqual([...LANDED]);
});
