import { describe, expect, test } from "bun:test";
import { askOf } from "../../../test/sample.ts";
import type { Kind } from "./ask.ts";
import { callTitle } from "./call-title.ts";
import type { Question } from "./question.ts";
import { askTitle, askTitles } from "./title.ts";

const asked = (kind: Kind, question: Partial<Question>) =>
  askOf({ kind, questions: [{ text: "Allow?", header: "Bash", multiSelect: false, options: [], ...question }] });

describe("askTitle", () => {
  test("[NM1] a question is called by its text, a call by its name, a plan by its heading", () => {
    expect(askTitle(asked("question", { text: "Which database?", body: "$ ls" }))).toBe("Which database?");
    expect(askTitle(asked("approval", { title: "$ git push origin main" }))).toBe("$ git push origin main");
    const plan = "Here is what I would do.\n\n# Add **rate limits** to `api`\n\n1. Count.";
    expect(askTitle(asked("plan", { body: plan }))).toBe("Add rate limits to api");
    expect(askTitle(asked("plan", { body: "# Plan: count requests #\n" }))).toBe("count requests");
    expect(askTitle(asked("plan", { body: "# Plan\n---\n- Count **requests**\n" }))).toBe("Count requests");
    expect(askTitle(asked("plan", { text: "Approve this plan?" }))).toBe("Approve this plan?");
  });

  test("[VB25] what a question says in markdown is its name without the marks; a command is to the letter", () => {
    const text = "Use **SQLite** or `pg`?\n\n- one file\n- a server";
    expect(askTitle(asked("question", { text }))).toBe("Use SQLite or pg? one file, a server");
    expect(askTitle(asked("question", { text: "Delete **/*.log and *.tmp?" }))).toBe("Delete **/*.log and *.tmp?");
    expect(askTitle(asked("question", { text: "---" }))).toBe("---");
    expect(askTitle(asked("approval", { title: "$ ls **" }))).toBe("$ ls **");
  });

  test("[NM2] an approval that was stored before calls had names is called by its command", () => {
    const body = "$ git push origin main\n# Publish the branch";
    expect(askTitle(asked("approval", { text: "Allow this command?", body }))).toBe("$ git push origin main");
    expect(askTitle(asked("approval", { text: "Allow this edit of a.ts?", body: "- a\n+ b" }))).toBe(
      "Allow this edit of a.ts?",
    );
  });

  test("[NM3] a name is one safe line of bounded length, whatever a model wrote, and never empty", () => {
    const hostile = "\x1b[2J\x1b]0;x\x07rm\u202e -rf\x00 /\r\necho done" + "!".repeat(10_000);
    for (const kind of ["question", "approval", "plan", "idle"] as const) {
      const title = askTitle(asked(kind, { text: hostile, title: hostile, body: hostile }));
      expect(title).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/);
      expect(title.length).toBeLessThanOrEqual(240);
      expect(askTitle(asked(kind, { text: hostile }), { max: 20 }).length).toBeLessThanOrEqual(20);
    }
    expect(askTitle(asked("question", { text: " \n" }))).toBe("(no details available)");
    expect(askTitle(askOf({ questions: [] }))).toBe("(no details available)");
  });

  test("[NM4] several questions have several names", () => {
    const [first] = asked("question", { text: "One?" }).questions;
    expect(askTitles({ kind: "question", questions: [first!, { ...first!, text: "Two?" }] })).toBe("One? / Two?");
  });
});

describe("callTitle", () => {
  test("[NM5] every line of a command is in its name, in the order in which they run", () => {
    expect(callTitle({ type: "command", command: "git add -A\n\n  git push --force\n" })).toBe(
      "$ git add -A ↵ git push --force",
    );
  });

  test("[NM6] a file is named from the agent's folder, and in full where it lies elsewhere", () => {
    const write = (path: string, cwd?: string) =>
      callTitle({ type: "write", path, ...(cwd !== undefined && { cwd }), added: 4, removed: 1 });
    expect(write("/home/me/shop/src/session.ts", "/home/me/shop")).toBe("write src/session.ts (+4 −1)");
    expect(write("/home/me/shop-2/a.ts", "/home/me/shop")).toBe("write /home/me/shop-2/a.ts (+4 −1)");
    expect(write("/home/me/shop/../x.ts", "/home/me/shop/")).toBe("write /home/me/shop/../x.ts (+4 −1)");
    expect(callTitle({ type: "write", path: "a", added: 2, removed: 0 })).toBe("write a (+2)");
    expect(callTitle({ type: "write", path: "a", added: 0, removed: 0 })).toBe("write a");
    expect(callTitle({ type: "read", path: "/etc/passwd", cwd: "/home" })).toBe("read /etc/passwd");
  });

  test("[NM7] an address is named by the host that is called", () => {
    const fetch = (url: string) => callTitle({ type: "fetch", url });
    expect(fetch("https://example.com/")).toBe("fetch example.com");
    expect(fetch("https://example.com@evil.test/a?b=1#c")).toBe("fetch evil.test/a?b=1");
    expect(fetch("http://localhost:3000/x")).toBe("fetch http://localhost:3000/x");
    expect(fetch("not an address")).toBe("fetch not an address");
  });
});
