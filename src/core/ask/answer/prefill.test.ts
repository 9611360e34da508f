import { expect, test } from "bun:test";
import { parsePrefill } from "./prefill.ts";
import type { Question } from "../question.ts";

const ask = (labels: string[], multiSelect = true): Question => ({
  text: "Which?",
  header: "Which",
  multiSelect,
  options: labels.map((label) => ({ label, description: "", recommended: false })),
});
const features = ask(["Auth", "Search", "Export"]);

test("[V20] labels of a prefilled answer become picks in the order of the options", () => {
  expect(parsePrefill(features, "Search, Auth")).toEqual({ picks: [0, 1] });
  expect(parsePrefill(features, " Search ,Auth,Auth, ")).toEqual({ picks: [0, 1] });
  expect(parsePrefill(features, "  ")).toEqual({ picks: [] });
});

test("[V21] what is no label becomes text, with its own commas", () => {
  expect(parsePrefill(features, "Auth, Search, fuzzy")).toEqual({ picks: [0, 1], text: "fuzzy" });
  expect(parsePrefill(features, "fuzzy,and  more, Auth, last")).toEqual({ picks: [0], text: "fuzzy,and  more, last" });
  expect(parsePrefill(features, "Authentication")).toEqual({ picks: [], text: "Authentication" });
});

test("[V22] the longest label is tried first, so labels with commas survive", () => {
  const question = ask(["Yes", "Yes, all", "No, thanks"]);
  expect(parsePrefill(question, "Yes, all")).toEqual({ picks: [1] });
  expect(parsePrefill(question, "No, thanks, Yes, all, Yes")).toEqual({ picks: [0, 1, 2] });
});

test("[V23] `Other:` takes the rest as text", () => {
  expect(parsePrefill(features, "Auth, Other: Search, but fuzzy")).toEqual({ picks: [0], text: "Search, but fuzzy" });
  expect(parsePrefill(features, "other:  mine ")).toEqual({ picks: [], text: "mine" });
  expect(parsePrefill(features, "Auth, Other: ")).toEqual({ picks: [0] });
});

test("[V24] single-select takes the first label, or the whole value as text", () => {
  const question = ask(["Auth", "Search"], false);
  expect(parsePrefill(question, "Search, Auth")).toEqual({ picks: [1] });
  expect(parsePrefill(question, "Auth, Other: mine")).toEqual({ picks: [0] });
  expect(parsePrefill(question, "neither, really")).toEqual({ picks: [], text: "neither, really" });
  expect(parsePrefill(question, "Other: mine, too")).toEqual({ picks: [], text: "mine, too" });
});

test("[V25] a megabyte of commas and spaces is read like a short text", () => {
  const many = (part: string) => part.repeat((1 << 20) / part.length);
  for (const nothing of [",", " ", ", "]) expect(parsePrefill(features, many(nothing))).toEqual({ picks: [] });
  expect(parsePrefill(features, many("Auth,"))).toEqual({ picks: [0] });
  expect(parsePrefill(features, many("a ,"))).toEqual({ picks: [], text: "a ,".repeat(349_524) + "a" });
  expect(parsePrefill(features, many("Auth "))).toEqual({ picks: [], text: many("Auth ").trim() });
});
