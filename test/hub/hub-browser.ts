import { existsSync } from "node:fs";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { PATIENCE_MS } from "../../src/lab/poll.ts";
import { launch } from "../web/browser.ts";

/** Why tests with a browser are skipped. With CI=true they are not: they fail. */
export const noBrowser: string | undefined =
  existsSync("/usr/bin/chromium") || process.env["CI"] === "true" ? undefined : "no /usr/bin/chromium";

export type HubPages = {
  browser: Browser;
  /** A browser of somebody's own, whose device makes and keeps passkeys and always agrees. */
  open(url: string, options?: BrowserContextOptions): Promise<Page>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** `whole`: with notifications, which the engine alone has not. */
export async function openHubPages({ whole = false } = {}): Promise<HubPages> {
  const browser = await launch(whole);
  const wrong: string[] = [];
  return {
    browser,
    async open(url, options = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
      context.setDefaultTimeout(PATIENCE_MS);
      const page = await context.newPage();
      page.on("pageerror", (error) => wrong.push(String(error)));
      page.on("console", (said) => {
        if (said.type() === "error" && !/ERR_|Failed to load resource/.test(said.text())) wrong.push(said.text());
      });
      const devtools = await context.newCDPSession(page);
      await devtools.send("WebAuthn.enable");
      const transport = { protocol: "ctap2", transport: "internal" } as const;
      const device = { hasResidentKey: true, hasUserVerification: true, isUserVerified: true };
      await devtools.send("WebAuthn.addVirtualAuthenticator", {
        options: { ...transport, ...device, automaticPresenceSimulation: true },
      });
      await page.goto(url);
      return page;
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      if (wrong.length > 0) throw new Error(`the page complained: ${wrong.join("\n")}`);
    },
  };
}
