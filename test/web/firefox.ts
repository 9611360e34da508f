import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServerWebSocket } from "bun";
import type { Program } from "../e2e/program.ts";
import { eventually } from "../patience.ts";

export const FIREFOX = "/usr/bin/firefox-esr";
export const isFirefoxMissing = !existsSync(FIREFOX);
type Json = Record<string, unknown>;
export type Autopush = ReturnType<typeof createAutopush>;

/**
 * Mozilla's push service on loopback, as far as Firefox needs it: hello, register, notification, ack over WebSocket, and the
 * address to which a sender posts.
 */
export function createAutopush() {
  const said: Json[] = [];
  const posted: { headers: Headers; bytes: number }[] = [];
  let browser: ServerWebSocket | undefined;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request, self) {
      // Firefox hangs up on a server that does not choose it.
      if (self.upgrade(request, { headers: { "sec-websocket-protocol": "push-notification" } })) return undefined;
      const body = Buffer.from(await request.arrayBuffer());
      posted.push({ headers: request.headers, bytes: body.length });
      const channelID = new URL(request.url).pathname.split("/").at(-1);
      if (!browser) return new Response(null, { status: 503 });
      const headers = { encoding: request.headers.get("content-encoding") };
      const data = body.toString("base64url");
      reply({ messageType: "notification", channelID, version: crypto.randomUUID(), ttl: 60, data, headers });
      return new Response(null, { status: 201 });
    },
    websocket: {
      message(socket, text) {
        browser = socket;
        const message = JSON.parse(String(text)) as Json;
        const { messageType, channelID } = message;
        said.push(message);
        // A ping.
        if (messageType === undefined) socket.send("{}");
        if (messageType === "hello")
          reply({
            messageType,
            status: 200,
            uaid: crypto.randomUUID().replaceAll("-", ""),
            use_webpush: true,
            broadcasts: {},
          });
        if (messageType === "register")
          reply({
            messageType,
            channelID,
            status: 200,
            pushEndpoint: `http://127.0.0.1:${server.port}/wpush/${String(channelID)}`,
          });
        if (messageType === "unregister") reply({ messageType, channelID, status: 200 });
      },
      close(socket) {
        if (browser === socket) browser = undefined;
      },
    },
  });
  const reply = (message: Json) => browser?.send(JSON.stringify(message));
  return { url: `ws://127.0.0.1:${server.port}/`, said, posted, stop: () => server.stop(true) };
}

/**
 * A real Firefox, driven over WebDriver BiDi, whose push service is that of `autopush`. `desktop`: the environment of one, which shows
 * its notifications then.
 */
export async function openFirefox(autopush: Autopush, desktop?: Record<string, string>) {
  const profile = mkdtempSync(join(tmpdir(), "parley-firefox-"));
  const prefs: Record<string, unknown> = {
    "dom.push.serverURL": autopush.url,
    "dom.push.testing.allowInsecureServerURL": true,
    "dom.push.connection.enabled": true,
    "permissions.default.desktop-notification": 1,
    "browser.shell.checkDefaultBrowser": false,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": false,
    "app.update.enabled": false,
    "network.manage-offline-status": false,
    "network.captive-portal-service.enabled": false,
    "network.connectivity-service.enabled": false,
    // Its own windows instead of a desktop's, where there is none.
    "alerts.useSystemBackend": desktop !== undefined,
    "remote.active-protocols": 1,
  };
  const lines = Object.entries(prefs).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  writeFileSync(join(profile, "user.js"), lines.join("\n"));
  const child = Bun.spawn(
    [
      FIREFOX,
      ...(desktop ? [] : ["--headless"]),
      "--no-remote",
      "--profile",
      profile,
      "--remote-debugging-port",
      "0",
      "about:blank",
    ],
    {
      env: { ...process.env, ...desktop, HOME: profile, MOZ_DISABLE_CONTENT_SANDBOX: "1" },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  let err = "";
  void (async () => {
    for await (const chunk of child.stderr) err += Buffer.from(chunk).toString();
  })();
  const address = await eventually(() => {
    const found = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(err)?.[1];
    if (found === undefined) throw new Error(`Firefox does not listen: ${err}`);
    return found;
  });
  const socket = new WebSocket(`${address}/session`);
  const waiting = new Map<number, (reply: Json) => void>();
  socket.addEventListener("message", ({ data }) => {
    const reply = JSON.parse(String(data)) as Json;
    waiting.get(Number(reply["id"]))?.(reply);
  });
  await new Promise((done, failed) => {
    socket.addEventListener("open", done);
    socket.addEventListener("error", failed);
  });
  let count = 0;
  async function send(method: string, params: Json): Promise<Json> {
    const id = ++count;
    const { promise, resolve } = Promise.withResolvers<Json>();
    waiting.set(id, resolve);
    socket.send(JSON.stringify({ id, method, params }));
    const reply = await promise;
    if (reply["type"] === "error") throw new Error(`${method}: ${JSON.stringify(reply)}`);
    return reply["result"] as Json;
  }
  await send("session.new", { capabilities: {} });
  const { contexts } = (await send("browsingContext.getTree", {})) as { contexts: { context: string }[] };
  const context = contexts[0]?.context ?? "";
  const self = {
    goto: (url: string) => send("browsingContext.navigate", { context, url, wait: "complete" }),
    /** What the page's script answers, as JSON. */
    async run(expression: string): Promise<unknown> {
      const target = { context };
      const said = (await send("script.evaluate", {
        expression: `(async () => JSON.stringify((await (${expression})) ?? null))()`,
        target,
        awaitPromise: true,
        userActivation: true,
      })) as { type: string; result: { value: string }; exceptionDetails?: { text: string } };
      if (said.type === "exception") throw new Error(said.exceptionDetails?.text);
      return JSON.parse(said.result.value);
    },
    /** It is paired with this Parley under that name, and takes its pushes from now on. */
    async takePushes(program: Program, name: string): Promise<void> {
      const { port } = new URL(program.url());
      const { out } = await program.parley(["phone", `http://localhost:${port}`, "--name", name, "--json"]);
      await self.goto((JSON.parse(out) as { url: string }).url);
      const button = (words: string) =>
        `[...document.querySelectorAll("button")].find((each) => each.textContent === ${JSON.stringify(words)})`;
      const sees = (words: string) =>
        eventually(async () => {
          if ((await self.run(`!!${button(words)}`)) !== true) throw new Error(`no button "${words}"`);
        });
      await sees("Push questions to this device");
      await self.run(`void ${button("Push questions to this device")}.click()`);
      await sees("Stop pushes to this device");
    },
    async stop() {
      socket.close();
      child.kill("SIGKILL");
      await child.exited;
      rmSync(profile, { recursive: true, force: true });
    },
  };
  return self;
}
