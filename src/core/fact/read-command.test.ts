import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import type { Did } from "./command-reading.ts";
import { changed, diffOf } from "./file-change.ts";
import { readCommand } from "./read-command.ts";

const touches = (command: string) =>
  readCommand(command)
    .did.filter((did): did is Did & { type: "touches" } => did.type === "touches")
    .map(({ does, path, from }) => [does, from === undefined ? path : `${from}/${path}`].join(" "));

describe("what a command says about itself", () => {
  test.each([
    ["rm -rf build old.txt", ["deletes build", "deletes old.txt"]],
    ["rm -- -odd", ["deletes -odd"]],
    ["echo hi > out.txt", ["writes out.txt"]],
    ["make 2>> log", ["appends to log"]],
    ["cd sub && rm a.txt", ["deletes sub/a.txt"]],
    ["mv a b", ["moves a", "writes b"]],
    ["cp -r a 'b c'", ["reads a", "writes b c"]],
    ["sudo rm x", ["deletes x"]],
    ["if true; then rm x; fi", ["deletes x"]],
    ["sed -i s/a/b/g x.ts", ["writes x.ts"]],
    ["chmod -x run.sh", ["changes the rights of run.sh"]],
    ["curl -sSo y.tgz https://example.com/x", ["writes y.tgz"]],
    ["cat < in.txt | tee -a log", ["reads in.txt", "appends to log"]],
  ])("[EV1] the files it names: %s", (command, wanted) => {
    expect(touches(command).filter((each) => !each.startsWith("names"))).toEqual(wanted);
  });

  test.each([
    'rm "$FILE"',
    "rm $(ls)",
    "for f in *; do rm $f; done",
    "bash -c 'rm x'",
    "xargs rm",
    "eval rm x",
    "rm() { :; }; rm x",
    "cd a; rm x",
    "sed -i 'w x' y",
    "rm ${X",
    "make",
    "curl -K settings https://example.com",
  ])("[EV2] what only running it would tell is not guessed: %s", (command) => {
    const { did, unknown } = readCommand(command);
    expect(unknown.length).toBeGreaterThan(0);
    expect(did.filter(({ type, by }) => type === "touches" && by.endsWith("of rm"))).toEqual([]);
    if (command.startsWith("curl")) expect(did.filter(({ type }) => type === "host")).toEqual([]);
  });

  test("[EV2] nor what is too long to be read", () => {
    expect(readCommand(`rm ${"x".repeat(9000)}`).did).toEqual([]);
  });

  test.each([
    ["curl -L https://me:secret@example.com:8443/x", "example.com:8443"],
    ["wget example.com/x", "example.com"],
    ["ssh me@prod uptime", "prod"],
    ["git clone git@github.com:a/b.git", "github.com"],
    ["my-tool --url https://example.org/x https://example.net", "example.org"],
  ])("[EV3] the host it names, and nothing of a password: %s", (command, host) => {
    const hosts = readCommand(command).did.flatMap((did) => (did.type === "host" ? did.host : []));
    expect(hosts).toContain(host);
    expect(JSON.stringify(readCommand(command).did)).not.toContain("secret");
  });

  test("[EV4] whatever text comes, it is read in bounded time and never thrown at", () => {
    const odd = fc.constantFrom(
      "rm ",
      "$(",
      "`",
      "'",
      '"',
      "<<EOF\n",
      "&&",
      ";",
      "|",
      "\0",
      "\u001b[31m",
      "*",
      "git push ",
    );
    const command = fc.array(fc.oneof(odd, fc.string())).map((parts) => parts.join(""));
    fc.assert(fc.property(command, (text) => Array.isArray(readCommand(text).unknown)));
  });
});

describe("an edit against the file as it is", () => {
  const edit = (before: string, after: string, all = false) => ({ path: "a", edits: [{ before, after, all }] });
  test("[EV5] is what the file would be, to the letter", () => {
    expect(changed(edit("a", "$&$1"), "xax")).toEqual({ after: "x$&$1x" });
    expect(changed(edit("a", "b", true), "aXa")).toEqual({ after: "bXb" });
    expect(changed(edit("", "new"), undefined)).toEqual({ after: "new" });
    expect(changed({ path: "a", content: "c" }, "old")).toEqual({ after: "c" });
  });
  test("[EV6] says so where the file is another than the agent believes", () => {
    expect(changed(edit("gone", "b"), "xax")).toEqual({
      cannot: "the text to replace is not in the file as it is now",
    });
    expect(changed(edit("a", "b"), "aXa")).toEqual({ cannot: "the text to replace is in the file 2 times" });
    expect(changed(edit("a", "b"), undefined)).toEqual({ cannot: "the file does not exist" });
  });
  test("[EV7] steering characters of a file are shown as their codes", () => {
    expect(diffOf("a\n", "\u202eb\n", "x").patch).toContain("\\u{202e}b");
  });
});
