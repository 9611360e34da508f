import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { holds } from "../e2e/program.ts";
import { createReceiver, createStage } from "../e2e/notify-stage.ts";
import { question } from "../sample.ts";
import { ALL, expectSafe, TEXTS } from "./corpus.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-horror-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const BASE = "https://me.example.net";
const settings = (url: string) => `[notify]
after_seconds = 0
burst = 0
link_base = "${BASE}"
link_port = 0
[notify.webhook]
url = "${url}/hook"
secret = "0123456789abcdef"
[notify.ntfy]
url = "${url}/topic"
`;
const origin = { agent: `a ${ALL}`, project: `p ${ALL}`, session: ALL, pane: { server: ALL, id: ALL } };

/** A notify-send that writes down what it is started with. */
function desktopIn(path: string): Record<string, string> {
  writeFileSync(join(path, "notify-send"), `#!/bin/sh\nprintf '%s\\0' "$@" >> ${path}/shown\necho 1\n`, {
    mode: 0o700,
  });
  return { PATH: `${path}:${process.env["PATH"]}`, DISPLAY: ":9", DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere" };
}

test("[HO59] no notification carries a character that acts: webhook, ntfy and desktop", async () => {
  await using receiver = createReceiver();
  await using stage = createStage({ env: desktopIn(folder) });
  stage.config(settings(receiver.url));
  const texts = [...TEXTS, ALL];
  const asks = [];
  for (const text of texts) {
    const hostile = { ...question(`${text}?`, [`A ${text}`, `B ${text}`]), header: text, body: text };
    asks.push(await stage.ask({ questions: [hostile], origin: { ...origin, project: `p ${text}` } }));
  }
  await receiver.first(2 * texts.length);
  expect(await holds(() => shown().split("--app-name=Parley").length > texts.length)).toBe(true);
  const surface = `s ${ALL}`;
  for (const { id } of asks)
    await stage.inbox.settle(id, { action: "decline", message: ALL }, { type: "person", surface });
  await receiver.first(4 * texts.length);
  for (const { text, path, headers } of receiver.requests) {
    expectSafe(text, path);
    expectSafe([...headers].flat().join("\n"), path);
  }
  expectSafe(shown().replaceAll("\0", "\n"), "desktop");

  function shown(): string {
    return readFileSync(join(folder, "shown"), { encoding: "utf8", flag: "a+" });
  }
});

test("[HO60] the page behind a link shows hostile words as words: no markup of theirs, no character that acts", async () => {
  await using receiver = createReceiver();
  await using stage = createStage();
  stage.config(settings(receiver.url));
  const hostile = { ...question(`Q ${ALL}?`, [`A ${ALL}`, `B ${ALL}`]), header: ALL, body: ALL };
  const ask = await stage.ask({ questions: [hostile], origin });
  const requests = await receiver.first(2);
  const links = requests.flatMap(({ text }) => text.match(/https:\/\/me\.example\.net\/act\/[\w-]{43}/g) ?? []);
  const { links: server } = await stage.notifications.test("ntfy");
  const pages = async () => {
    for (const link of new Set(links)) {
      for (const accept of ["text/html", "text/plain"]) {
        const headers = { host: "me.example.net", accept };
        const page = await fetch(`http://127.0.0.1:${server.port}${link.replace(BASE, "")}`, { headers });
        const text = await page.text();
        expectSafe(text, `${accept} ${page.status}`);
        if (accept === "text/html") expect(text).not.toMatch(/<(script|img)/);
        expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
      }
    }
  };
  expect(links.length).toBeGreaterThan(0);
  await pages();
  const answers = [{ picks: [0], note: ALL.replaceAll("\0", "") }];
  await stage.inbox.settle(ask.id, { action: "answer", answers }, { type: "person", surface: ALL });
  await pages();
});
