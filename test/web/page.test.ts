import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createProgram, type Program } from "../e2e/program.ts";

let program: Program;
beforeAll(async () => {
  program = createProgram();
  await program.start();
});
afterAll(() => program.dispose());

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${program.url()}${path}`, { headers });
const enter = (body: object, headers: Record<string, string> = {}) =>
  fetch(`${program.url()}/page/enter`, { method: "POST", body: JSON.stringify(body), headers });
async function newCode(): Promise<string> {
  const { out } = await program.parley(["open", "--print"]);
  return out.trim().split("#code=")[1] ?? "";
}
/** The cookie, and what the page has beside it. */
async function signedIn(): Promise<{ cookie: string; "x-parley-page": string; previews: string }> {
  const response = await enter({ code: await newCode() });
  const { key, previews } = (await response.json()) as { key: string; previews: string };
  return { cookie: response.headers.get("set-cookie")?.split(";")[0] ?? "", "x-parley-page": key, previews };
}

test("[WB1] the page comes with a policy that lets nothing but its own files run, and no frame around it", async () => {
  const response = await get("/");
  const policy = response.headers.get("content-security-policy")?.split("; ") ?? [];
  expect(response.status).toBe(200);
  for (const rule of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"])
    expect(policy).toContain(rule);
  expect(policy.join(" ")).not.toContain("unsafe");
  expect(response.headers.get("x-frame-options")).toBe("DENY");
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  expect(await response.text()).not.toMatch(/<script(?![^>]*src)|\sstyle=|\son\w+=/);
});

test("[WB2] the first load is at most 40 KB of JavaScript, has no schema library in it and names no other host", async () => {
  const html = await (await get("/")).text();
  const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = ""]) => path);
  expect(files.length).toBeGreaterThan(1);
  const sizes: number[] = [];
  const loaded = new Set<string>();
  for (const path of files) {
    expect(path).toMatch(/^\/[\w.-]+$/);
    const zipped = await fetch(`${program.url()}${path}`, {
      headers: { "accept-encoding": "gzip" },
      decompress: false,
    });
    expect(zipped.headers.get("content-encoding")).toBe("gzip");
    expect(zipped.headers.get("cache-control")).toContain("immutable");
    const bytes = new Uint8Array(await zipped.arrayBuffer());
    if (path.endsWith(".js")) sizes.push(bytes.byteLength);
    const text = new TextDecoder().decode(Bun.gunzipSync(bytes));
    for (const [, needed = ""] of text.matchAll(/from"(\/chunk-[^"]+)"/g)) loaded.add(needed);
    expect(text).not.toMatch(/ZodError|_zod\b/);
    expect([...text.matchAll(/https?:\/\/[\w.-]+/g)].map(String).filter((url) => !url.includes("www.w3.org"))).toEqual(
      [],
    );
  }
  // Nothing is loaded at first that the page does not name.
  expect([...loaded].filter((path) => !files.includes(path))).toEqual([]);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(40_000);
  for (const path of ["/manifest.webmanifest", "/icon.svg", "/icon-192.png", "/icon-512.png", "/worker.js"])
    expect([path, (await get(path)).status]).toEqual([path, 200]);
});

test("[WB3] a code works once and becomes a cookie that no script can read; it is in no log", async () => {
  const code = await newCode();
  const first = await enter({ code });
  const cookie = first.headers.get("set-cookie") ?? "";
  expect(first.status).toBe(200);
  expect(cookie).toMatch(/^parley-\w{8}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/);
  const again = await enter({ code });
  expect([again.status, await again.json()]).toEqual([
    401,
    expect.objectContaining({
      error: expect.objectContaining({
        message: "This code was already used or is more than a minute old. Get a new one: parley open",
      }),
    }),
  ]);
  expect(again.headers.get("set-cookie")).toBeNull();
  const pair = cookie.split(";")[0] ?? "";
  const { key, previews } = (await first.json()) as { key: string; previews: string };
  const page = { "x-parley-page": key };
  expect(first.headers.get("cache-control")).toBe("no-store");
  expect((await get("/api/status", { cookie: pair, ...page })).status).toBe(200);
  expect((await get("/api/status", { cookie: `${pair}x`, ...page })).status).toBe(401);
  for (const wrong of ["", `${key}x`, previews, pair.split("=")[1] ?? ""])
    expect((await get("/api/status", { cookie: pair, "x-parley-page": wrong })).status).toBe(401);
  const kept = readFileSync(program.paths.browsers, "utf8");
  const log = readFileSync(program.paths.log, "utf8");
  for (const secret of [code, key, pair.split("=")[1] ?? "none"]) {
    expect(kept).not.toContain(secret);
    expect(log).not.toContain(secret);
  }
  expect(statSync(program.paths.browsers).mode & 0o777).toBe(0o600);
});

test("[WB4] a person's token signs in, an agent's does not", async () => {
  const { human, agent } = program.tokens();
  expect((await enter({ token: human })).status).toBe(200);
  for (const wrong of [{ token: agent }, { token: "" }, { token: `${human}x` }, {}, { code: human }])
    expect((await enter(wrong)).status).toBe(401);
  expect((await enter({ token: "x".repeat(2000) })).status).toBe(413);
});

test("[WB5] a cookie does not open for a page that is not this one", async () => {
  const page = await signedIn();
  for (const site of ["cross-site", "same-site"])
    expect((await get("/api/status", { ...page, "sec-fetch-site": site })).status).toBe(401);
  expect((await get("/api/status", { ...page, origin: "http://127.0.0.1:1" })).status).toBe(403);
  expect((await get("/api/status", { ...page, host: "evil.example" })).status).toBe(403);
  expect((await get("/", { host: "evil.example" })).status).toBe(403);
  expect((await enter({ code: await newCode() }, { origin: "https://evil.example" })).status).toBe(403);
  const hook = await fetch(`${program.url()}/hook/ack`, { method: "POST", headers: page, body: "{}" });
  expect(hook.status).toBe(403);
});

test("[WB6] a browser stays signed in when the daemon is started anew, until it is signed out", async () => {
  const page = await signedIn();
  await program.terminate();
  await program.start();
  expect((await get("/api/status", page)).status).toBe(200);
  const { id } = (await (await get("/page/here", page)).json()) as { id: string };
  const { browsers } = await program.client().call("listBrowsers");
  expect(browsers.map((browser) => browser.id)).toContain(id);
  await program.client().call("endBrowser", { body: { id } });
  expect((await get("/api/status", page)).status).toBe(401);
});

test("[WB7] parley open hands the address to the desktop; where there is none it says so", async () => {
  const bin = join(program.root, "desktop");
  const seen = join(program.root, "opened");
  mkdirSync(bin);
  writeFileSync(join(bin, "xdg-open"), `#!/bin/sh\nprintf %s "$1" > ${seen}\n`);
  chmodSync(join(bin, "xdg-open"), 0o755);
  const opened = await program.parley(["open"], { env: { PATH: `${bin}:${process.env["PATH"]}` } });
  expect(opened).toEqual({ code: 0, out: `Opened ${program.url()} in your browser\n`, err: "" });
  const [address, code = ""] = readFileSync(seen, "utf8").split("/#code=");
  expect(address).toBe(program.url());
  expect((await enter({ code })).status).toBe(200);
  const none = await program.parley(["open"], { env: { PATH: "/nonexistent" } });
  expect(none.code).toBe(2);
  expect(none.err).toContain("No browser can be opened from here. See the address: parley open --print");
});

test("[WB8] an HTML preview comes with a policy of its own: no script, no network, no form", async () => {
  const preview = "<b onclick='x()'>hi</b><script>x()</script>";
  const options = ["A", "B"].map((label) => ({ label, description: "d", ...(label === "A" && { preview }) }));
  const questions = [{ question: "Which?", header: "H", multiSelect: false, options }];
  const { id } = await program.client("agent").call("createAsk", { body: { questions } });
  const { cookie, previews } = await signedIn();
  const shown = await get(`/preview/${id}/0/0?page=${previews}`, { cookie });
  const policy = shown.headers.get("content-security-policy")?.split("; ");
  expect(policy).toContain("sandbox");
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'self'");
  expect(policy?.join(" ")).not.toContain("script-src");
  expect((await get(`/preview/${id}/0/0?page=${previews}`)).status).toBe(401);
  expect((await get(`/preview/${id}/0/0`, { cookie })).status).toBe(401);
  for (const nothing of ["0/1", "1/0", "0/9"])
    expect((await get(`/preview/${id}/${nothing}?page=${previews}`, { cookie })).status).toBe(404);
});
