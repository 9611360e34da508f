import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const build = join(import.meta.dir, "../../scripts/build.ts");

test("[WB45] the compiled program has the whole page in it", async () => {
  const root = mkdtempSync(join(tmpdir(), "parley-compiled-"));
  const program = join(root, "parley");
  const env = { PATH: process.env["PATH"] ?? "", HOME: root, PARLEY_HOME: join(root, "home"), PARLEY_PORT: "0" };
  const run = (...args: string[]) => Bun.spawnSync([program, ...args], { env, cwd: "/" }).stdout.toString();
  try {
    const built = Bun.spawnSync([process.execPath, build, program], { stderr: "pipe" });
    expect([built.exitCode, built.stderr.toString()]).toEqual([0, ""]);
    const { url } = JSON.parse(run("up", "--json")) as { url: string };
    const html = await Promise.all(["/", "/trust"].map(async (path) => (await fetch(`${url}${path}`)).text()));
    expect(html.map((page) => /<title>(.*)<\/title>/.exec(page)?.[1])).toEqual(["Parley", "Trust · Parley"]);
    const files = html.flatMap((page) => [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = ""]) => path));
    expect(new Set(files.map((path) => path.split(".").at(-1)))).toEqual(new Set(["css", "js"]));
    const scripts = files.filter((path) => path.endsWith(".js"));
    const texts = await Promise.all(scripts.map(async (path) => (await fetch(`${url}${path}`)).text()));
    // What is read later, and what that needs.
    const later = texts.flatMap((text) =>
      [...text.matchAll(/(?:import\(|from)"(\/chunk-[^"]+)"/g)].map(([, path = ""]) => path),
    );
    expect(later).not.toEqual([]);
    for (const path of [
      ...files,
      ...later,
      "/icon.svg",
      "/icon-192.png",
      "/icon-512.png",
      "/manifest.webmanifest",
      "/offline",
      "/offline.css",
      "/worker.js",
    ]) {
      const response = await fetch(`${url}${path}`);
      expect([path, response.status, (await response.text()).length > 50]).toEqual([path, 200, true]);
    }
  } finally {
    run("down");
    rmSync(root, { recursive: true, force: true });
  }
});
