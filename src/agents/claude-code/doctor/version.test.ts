import { expect, test } from "bun:test";
import { CONFORMANCE, type Conformance } from "../lab/conformance.ts";
import { judge } from "./version.ts";

const row = (version: string, more: Partial<Conformance> = {}): Conformance => ({
  version,
  date: "2026-11-15",
  system: "linux x64",
  asked: true,
  shell: true,
  verified: true,
  terminal: true,
  resume: true,
  hold: true,
  ...more,
});
const none = { asked: false, shell: false, verified: false, terminal: false, resume: false, hold: false };
const known = [
  row("2.1.30"),
  row("2.1.20", { hold: false, note: "hold: ignored" }),
  row("2.1.9", { ...none, note: "start: it ended" }),
];
const said = (version: string) => {
  const { level, message, fix } = judge("It", version, known);
  return `${level}: ${message}${fix === undefined ? "" : ` → ${fix}`}`;
};

test("[DR11] of a version that was tested exactly that is said which was seen", () => {
  expect(said("2.1.30")).toBe("ok: It: race, hold and resume, tested 2026-11-15");
  expect(said("2.1.20")).toBe("note: It: race and resume (hold: ignored) → update Claude Code");
  expect(said("2.1.9")).toBe("problem: It does not work with Parley: start: it ended → update Claude Code");
});

test("[DR11] of one in between only what works on both sides; of a newer or older one nothing is claimed", () => {
  expect(said("2.1.25")).toBe("ok: It: race and resume, as with 2.1.20 and 2.1.30");
  expect(said("2.1.10")).toBe("note: It was not tested, and 2.1.9 does not work → parley doctor --live");
  expect(said("2.1.100")).toBe("note: It is newer than every tested version (2.1.30) → parley doctor --live");
  expect(said("2.0.99")).toBe("note: It is older than every tested version → parley doctor --live");
});

test("[DR21] the page for people shows what the doctor knows, row for row and newest first", async () => {
  const page = await Bun.file(new URL("../../../../docs/conformance.md", import.meta.url)).text();
  const [own = ""] = page.split("## opencode");
  const rows = own.split("\n").filter((line) => /^\| \d/.test(line));
  const mark = (worked: boolean) => (worked ? "yes" : "**no**");
  expect(rows).toEqual(
    CONFORMANCE.map(({ version, date, system, note = "", ...seen }) => {
      const marks = [seen.asked, seen.shell, seen.verified, seen.terminal, seen.resume, seen.hold].map(mark);
      return `| ${[version, ...marks, `${date}, ${system}`, note.replaceAll("|", "\\|")].join(" | ")} |`;
    }),
  );
  const versions = CONFORMANCE.map(({ version }) => version);
  expect(versions).toEqual(versions.toSorted((a, b) => Bun.semver.order(b, a)));
  expect(versions.length).toBeGreaterThanOrEqual(6);
});
