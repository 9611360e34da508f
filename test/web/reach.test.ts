import { expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createProgram, type Program } from "../e2e/program.ts";

const TOKEN = "a-token-of-my-own-24-chars";

async function withConfig(text: string, run: (program: Program, env: Record<string, string>) => Promise<void>) {
  const program = createProgram();
  const file = join(program.root, "config.toml");
  writeFileSync(file, text);
  chmodSync(file, 0o600);
  try {
    await run(program, { PARLEY_CONFIG: file });
  } finally {
    await program.dispose();
  }
}

test("[WB9] beyond loopback the daemon does not start without a token that a person chose", async () => {
  await withConfig(`[web]\nbind = "0.0.0.0"\n`, async (program, env) => {
    const refused = await program.parley(["serve"], { env });
    expect(refused.code).not.toBe(0);
    expect(refused.err).toContain(
      'web.bind is "0.0.0.0", which others can reach: set web.token too, or leave it at 127.0.0.1',
    );
  });
  await withConfig(`[web]\nbind = "0.0.0.0"\ntoken = "short"\n`, async (program, env) => {
    expect((await program.parley(["config"], { env })).out).toContain("at least 24 characters are needed");
  });
  await withConfig(`[web]\nbind = "0.0.0.0"\ntoken = "${TOKEN}"\n`, async (program, env) => {
    await program.start(env);
    const authorization = `Bearer ${TOKEN}`;
    expect((await fetch(`${program.url()}/api/status`, { headers: { authorization } })).status).toBe(200);
    expect((await fetch(`${program.url()}/api/status`)).status).toBe(401);
  });
});

test("[WB10] web.address is the one other name the daemon answers to, and its cookie is for https only", async () => {
  const address = "https://laptop.example.net";
  await withConfig(`[web]\naddress = "${address}"\ntoken = "${TOKEN}"\n`, async (program, env) => {
    await program.start(env);
    const send = (host: string, origin: string) =>
      fetch(`${program.url()}/page/enter`, {
        method: "POST",
        headers: { host, origin },
        body: JSON.stringify({ token: TOKEN }),
      });
    const behind = await send("laptop.example.net", address);
    expect(behind.status).toBe(200);
    expect(behind.headers.get("set-cookie")).toEndWith("; Secure");
    expect((await send("laptop.example.net", "http://laptop.example.net")).status).toBe(403);
    expect((await send("other.example.net", address)).status).toBe(403);
    const { out } = await program.parley(["open", "--print"], { env });
    expect(out).toStartWith(`${address}/#code=`);
  });
});
