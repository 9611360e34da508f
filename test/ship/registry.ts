import { createHash } from "node:crypto";
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { done, root } from "./packed.ts";

type Lock = { packages: Record<string, { dev?: boolean }> };
type Published = { about: Record<string, unknown>; tarball: string };

/** What Bun's package has in the place of its program until its install script has run. */
const NOT_YET = `echo "Error: Bun's postinstall script was not run." >&2\nexit 1\n`;

export type Registry = { url: string; publish(tarball: string): void; stop(): Promise<void> };

/** A registry on loopback, with what Parley depends on as it is installed here. */
export function createRegistry(dir: string): Registry {
  const packages = new Map<string, Published[]>();
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: serve });
  const url = `http://127.0.0.1:${server.port}`;

  function serve(request: Request): Response {
    const path = decodeURIComponent(new URL(request.url).pathname.slice(1));
    const [name = "", file] = path.split("/-/");
    const versions = packages.get(name);
    if (!versions) return new Response("{}", { status: 404 });
    const wanted = versions.find(({ tarball }) => basename(tarball) === file);
    if (file !== undefined)
      return wanted ? new Response(Bun.file(wanted.tarball)) : new Response(null, { status: 404 });
    return Response.json({
      name,
      "dist-tags": { latest: versions.at(-1)?.about["version"] },
      versions: Object.fromEntries(versions.map(({ about }) => [about["version"], about])),
    });
  }

  function publish(tarball: string): void {
    const about = JSON.parse(done(["tar", "-xzOf", tarball, "package/package.json"], dir)) as Record<string, unknown>;
    const name = String(about["name"]);
    const integrity = `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`;
    const dist = { tarball: `${url}/${name}/-/${basename(tarball)}`, integrity };
    packages.set(name, [...(packages.get(name) ?? []), { about: { ...about, dist }, tarball }]);
  }

  for (const path of installedHere()) publish(packAgain(path, dir));
  return { url, publish, stop: () => server.stop(true) };
}

function installedHere(): string[] {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as Lock;
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== "" && !dev && existsSync(join(root, path)))
    .map(([path]) => path);
}

function packAgain(path: string, dir: string): string {
  const name = path.replace(/^.*node_modules\//, "").replaceAll(/[@/]/g, "-");
  const folder = join(dir, "again", name);
  mkdirSync(folder, { recursive: true });
  cpSync(join(root, path), join(folder, "package"), { recursive: true });
  unmoveBun(path, join(folder, "package"));
  const tarball = join(dir, "again", `${name}.tgz`);
  done(["tar", "-I", "gzip -1", "-cf", tarball, "-C", folder, "package"], dir);
  return tarball;
}

/** Its install script moved the program from the package of the platform into Bun's own. */
function unmoveBun(path: string, folder: string): void {
  if (path === "node_modules/bun")
    for (const name of ["bun.exe", "bunx.exe"]) writeFileSync(join(folder, "bin", name), NOT_YET, { mode: 0o755 });
  const program = join(folder, "bin/bun");
  if (!path.includes("@oven/") || existsSync(program)) return;
  mkdirSync(join(folder, "bin"), { recursive: true });
  copyFileSync(join(root, "node_modules/bun/bin/bun.exe"), `${program}.new`);
  renameSync(`${program}.new`, program);
}
