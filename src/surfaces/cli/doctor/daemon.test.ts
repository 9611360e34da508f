import { expect, test } from "bun:test";
import { checkPort } from "./daemon.ts";

const at = (port: number) => ({ port, url: `http://127.0.0.1:${port}` });

test("[DR5] the port is fine only when this very daemon answers there, whatever proxy is set", async () => {
  using daemon = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => Response.json({ instance: "mine" }) });
  const port = daemon.port ?? 0;
  process.env["HTTP_PROXY"] = "http://127.0.0.1:9";
  const found = await checkPort(at(port), "mine").finally(() => delete process.env["HTTP_PROXY"]);
  expect(found).toEqual({ check: "port", level: "ok", message: `http://127.0.0.1:${port} answers` });
  expect(await checkPort(at(port), "another")).toEqual({
    check: "port",
    level: "problem",
    message: `another program answers at http://127.0.0.1:${port}`,
    fix: "parley down; parley up",
  });
  await daemon.stop(true);
  expect(await checkPort(at(port), "mine")).toEqual({
    check: "port",
    level: "problem",
    message: `nothing answers at http://127.0.0.1:${port}`,
    fix: "parley down --force; parley up",
  });
  expect(await checkPort({ port: null, url: null }, "mine")).toMatchObject({ check: "port", level: "note" });
});
