import { expect } from "bun:test";
import { CONTRACT, STREAMS } from "../../src/protocol/contract.ts";
import type { Endpoint } from "../../src/protocol/endpoint.ts";
import type { Page } from "playwright-core";
import { browserTests, type Web } from "./browser.ts";

const it = browserTests();
const HTML = "<!doctype html><p>a preview</p>";

/** Another server of this machine, which sees every cookie that a browser has for it. */
async function stealFrom(page: Page): Promise<string> {
  const seen: string[] = [];
  using other = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      seen.push(request.headers.get("cookie") ?? "");
      return new Response("hello");
    },
  });
  const tab = await page.context().newPage();
  await tab.goto(`http://127.0.0.1:${other.port}/`);
  await tab.close();
  return seen.find((cookie) => cookie.includes("parley-")) ?? "";
}

/** Everything a thief can make up beside the cookie. */
function guises(cookie: string, origin: string): Record<string, string>[] {
  const value = cookie.split("=")[1] ?? "";
  const page = { "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty", origin };
  return [
    { cookie },
    { cookie, ...page },
    { cookie, ...page, "x-parley-page": value },
    { cookie, ...page, "x-parley-page": "" },
    { cookie, ...page, "x-parley-page": "undefined", "sec-websocket-protocol": `parley, parley.${value}` },
  ];
}

async function opens(url: string, headers: Record<string, string>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const { "sec-websocket-protocol": offered, ...rest } = headers;
  const protocols = offered === undefined ? [] : offered.split(", ");
  const socket = new WebSocket(url, { headers: rest, protocols });
  socket.addEventListener("open", () => (resolve(true), socket.close()));
  for (const end of ["error", "close"]) socket.addEventListener(end, () => resolve(false));
  return promise;
}

const answers = async (web: Web, page: Page, question: string) => {
  const { id } = await web.ask({ question });
  await page.getByText(question).first().waitFor();
  expect((await web.get(id)).state).toBe("open");
};

it("[MX20] the cookie alone, replayed by a server on another port, opens no endpoint, stream, socket or preview", async (web) => {
  const page = await web.open();
  const options = [
    { label: "A", description: "a", preview: HTML },
    { label: "B", description: "b" },
  ];
  const { id } = await web.ask({ question: "Which look?", options });
  const url = web.program.url();
  const cookie = await stealFrom(page);
  expect(cookie).toMatch(/parley-\w{8}=[\w-]{43}/);

  const endpoints = (Object.values(CONTRACT) as Endpoint[]).filter(({ needs }) => needs !== "none");
  const lines = [
    ...endpoints.map(({ method, path }) => `${method} ${path.replace(":id", id)}`),
    ...Object.values(STREAMS).map((path) => `GET ${path}`),
    "GET /page/here",
    "POST /page/leave",
    `GET /preview/${id}/0/0`,
    `GET /preview/${id}/0/0?page=${cookie.split("=")[1]}`,
  ];
  for (const line of lines)
    for (const headers of guises(cookie, url)) {
      const [method = "", path = ""] = line.split(" ");
      const body = method === "GET" ? {} : { body: "{}" };
      const response = await fetch(`${url}${path}`, { method, headers, ...body });
      expect([line, [401, 403].includes(response.status)]).toEqual([line, true]);
      await response.body?.cancel();
    }
  for (const headers of guises(cookie, url))
    expect(await opens(`${url.replace("http", "ws")}${STREAMS.websocket}`, headers)).toBe(false);
  // Whose cookie it is goes on, and nobody was signed out.
  await answers(web, page, "Still there?");
});

it("[MX21] what only the page has is worth nothing without the cookie either", async (web) => {
  const page = await web.open();
  const kept = await page.evaluate<string>(`localStorage.getItem("parley.page")`);
  const { key } = JSON.parse(kept) as { key: string };
  expect(key).toMatch(/^[\w-]{43}$/);
  const headers = { "x-parley-page": key };
  expect((await fetch(`${web.program.url()}/api/status`, { headers })).status).toBe(401);
});

it("[MX22] a reload, a second tab, a second sign-in and a daemon started anew need no new sign-in", async (web) => {
  const first = await web.open();
  await first.reload();
  await first.locator('.app[data-phase="ready"]').waitFor();
  const second = await first.context().newPage();
  await second.goto(web.program.url());
  await second.locator('.app[data-phase="ready"]').waitFor();
  const { out } = await web.program.parley(["open", "--print"]);
  await second.goto("about:blank");
  await second.goto(out.trim());
  await second.locator('.app[data-phase="ready"]').waitFor();
  for (const page of [first, second]) await answers(web, page, `Seen by ${page === first ? "one" : "two"}?`);

  const { port } = new URL(web.program.url());
  await web.program.terminate();
  await web.program.start({ PARLEY_PORT: port });
  for (const page of [first, second]) await answers(web, page, `Again by ${page === first ? "one" : "two"}?`);
});

it("[MX23] a preview is shown in its frame; after signing out neither page nor preview opens", async (web) => {
  const page = await web.open();
  const options = [
    { label: "A", description: "a", preview: HTML },
    { label: "B", description: "b" },
  ];
  await web.ask({ question: "Which look?", options });
  const frame = page.frameLocator("iframe");
  await frame.getByText("a preview").waitFor();
  const src = await page.locator("iframe").getAttribute("src");
  const cookies = await page.context().cookies();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const look = () => fetch(`${web.program.url()}${src}`, { headers: { cookie } });
  expect((await look()).status).toBe(200);
  // It opens previews and nothing else.
  const named = new URL(src ?? "", web.program.url()).searchParams.get("page") ?? "";
  const wide = { headers: { cookie, "x-parley-page": named } };
  expect((await fetch(`${web.program.url()}/api/status`, wide)).status).toBe(401);

  await page.goto(`${web.program.url()}/#/settings`);
  await page.getByRole("button", { name: "Sign out" }).first().click();
  await page.locator("main.sign-in").waitFor();
  expect((await look()).status).toBe(401);
  expect(await page.evaluate(`localStorage.getItem("parley.page")`)).toBeNull();
});
