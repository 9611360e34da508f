import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { same } from "./access.ts";

test("[LD2] two tokens are the same only when every character is", () => {
  const near = fc.tuple(fc.string({ unit: "binary" }), fc.nat(), fc.string({ unit: "binary", maxLength: 2 }));
  fc.assert(
    fc.property(near, ([token, place, other]) => {
      const at = place % (token.length + 1);
      const changed = `${token.slice(0, at)}${other}${token.slice(at + other.length)}`;
      expect(same(token, token.split("").join(""))).toBe(true);
      expect(same(token, changed)).toBe(token === changed);
      expect(same(changed, token)).toBe(token === changed);
    }),
  );
});
