import type { Browser } from "playwright-core";
import type { AskView } from "../../src/protocol/view.ts";
import { poll } from "../../src/lab/poll.ts";
import { pickOption } from "../../src/agents/claude-code/lab/dialog.ts";
import type { Tmux } from "../../src/lab/tmux.ts";
import { createReceiver, type Receiver } from "../e2e/notify-stage.ts";
import type { Program } from "../e2e/program.ts";
import { guardOver, onScreen } from "../terminal/inbox-stage.ts";
import { UNTIL_RECEIVED } from "../patience.ts";
import { createWeb, launch, ready } from "../web/browser.ts";

const LINK_BASE = "https://me.example.net";
export type Surface = "shell" | "inbox" | "popup" | "page" | "link" | "terminal";
/** What a person does with an Ask there: takes option `pick`, from 0, and sees the receipt where there is one to see. */
type Act = (ask: AskView, pick: number) => Promise<void>;
type Given = { program: Program; tmux?: Tmux };
export type Surfaces = Awaited<ReturnType<typeof openSurfaces>>;

/** Every place an Ask can be answered in, each as a person would use it. Its settings must be in place before the daemon starts. */
export async function openSurfaces() {
  const receiver = createReceiver();
  let browser: Browser | undefined;

  return {
    /** For the settings of the program: the links of every notification come here. */
    config: `[notify]
after_seconds = 0
link_base = "${LINK_BASE}"
link_port = 0
buttons_for_approvals = true

[notify.webhook]
url = "${receiver.url}/"
secret = "0123456789abcdef"
`,
    at({ program, tmux }: Given): Record<Surface, Act> {
      return {
        shell: (ask, pick) => inShell(program, ask, pick),
        inbox: (ask, pick) => inInbox(program, ask, pick),
        popup: (ask, pick) => inPopup(program, ask, pick),
        page: async (ask, pick) => inPage((browser ??= await launch()), program, ask, pick),
        link: (ask, pick) => byLink(program, receiver, ask, pick),
        terminal: async (ask, pick) => {
          if (!tmux) throw new Error("it has no terminal");
          await inDialog(tmux, ask, pick);
        },
      };
    },
    async [Symbol.asyncDispose]() {
      await browser?.close();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

/** “Denied” is told in other words than what was allowed or chosen. */
const RECEIPT = /✓ (?:\w[^\n]* received|denied)/;

async function inShell(program: Program, ask: AskView, pick: number): Promise<void> {
  const { code, out, err } = await program.parley(["answer", ask.id, String(pick + 1), "--only"], {
    env: UNTIL_RECEIVED,
  });
  if (code !== 0 || !RECEIPT.test(out)) throw new Error(`exit code ${code}: ${out}${err}`);
}

async function inInbox(program: Program, ask: AskView, pick: number): Promise<void> {
  await using inbox = onScreen(program, { columns: 110, rows: 40 });
  await inbox.shows(/\[Waiting \d+\]/);
  await inbox.shows("❯ ");
  await guardOver();
  inbox.press("\r");
  await choose(inbox, ask, pick);
  await inbox.shows(RECEIPT);
}

async function inPopup(program: Program, ask: AskView, pick: number): Promise<void> {
  await using popup = onScreen(program, { columns: 110, rows: 40, args: ["popup"], env: UNTIL_RECEIVED });
  await choose(popup, ask, pick);
  const { code, screen } = await popup.ended();
  if (code !== 0 || !RECEIPT.test(screen)) throw new Error(`exit code ${code}:\n${screen}`);
}

async function choose(screen: ReturnType<typeof onScreen>, ask: AskView, pick: number): Promise<void> {
  const label = ask.questions[0]?.options[pick]?.label ?? "";
  await screen.shows(new RegExp(`\\( \\) ${pick + 1}\\. `));
  await guardOver();
  screen.press(String(pick + 1));
  await screen.shows(new RegExp(`❯ \\(•\\) ${pick + 1}\\. ${label.slice(0, 20).replaceAll(/[^\w ]/g, ".")}`));
  screen.press("\r");
}

async function inPage(browser: Browser, program: Program, ask: AskView, pick: number): Promise<void> {
  await using web = await createWeb(browser, program);
  const page = await web.open();
  await page.evaluate(`location.hash = ${JSON.stringify(`#/ask/${ask.id}`)}`);
  await ready(page);
  await page.locator("form.answer").getByRole("radio").nth(pick).check();
  await page.getByRole("button", { name: "Confirm Answers" }).click();
  await page.locator(".receipts", { hasText: RECEIPT }).waitFor();
}

async function byLink(program: Program, receiver: Receiver, ask: AskView, pick: number): Promise<void> {
  type Told = { event?: string; ask?: { id?: string; questions?: { options: { link?: string }[] }[] } };
  const options = await poll(
    () =>
      receiver.requests
        .map(({ json }) => json as Told)
        .find(({ event, ask: told }) => event === "asked" && told?.id === ask.id)?.ask?.questions?.[0]?.options,
    { failure: () => `no notification of ${ask.id}: ${JSON.stringify(receiver.requests.map(({ json }) => json))}` },
  );
  const { links } = await program.client("human").call("notifyTest", { body: { channel: "webhook" } });
  const path = options[pick]?.link?.replace(LINK_BASE, "");
  if (path === undefined) throw new Error(`no link: ${JSON.stringify(options)}`);
  const response = await fetch(`http://127.0.0.1:${links.port}${path}`, {
    method: "POST",
    headers: { host: "me.example.net" },
  });
  if (!response.ok) throw new Error(await response.text());
}

/** In Claude Code's own dialog: its first row is a yes; anything else is a no, as Esc says it. */
async function inDialog(tmux: Tmux, ask: AskView, pick: number): Promise<void> {
  if (ask.kind === "question") return pickOption(tmux, pick + 1);
  const isOpen = (screen: string) => /❯ 1\. Yes/.test(screen);
  await tmux.waitFor(isOpen);
  // 2.1.325 ignores keys in the first moments of a dialog.
  while (isOpen(await tmux.screen())) await tmux.keys(pick === 0 ? "Enter" : "Escape");
}
