import { basename, join, resolve } from "node:path";
import icon192 from "./page/icon-192.png" with { type: "file" };
import icon512 from "./page/icon-512.png" with { type: "file" };
import iconSvg from "./page/icon.svg" with { type: "file" };
import manifest from "./page/manifest.webmanifest" with { type: "file" };
import type { PageFile } from "../../protocol/page-file.ts";
import offlineCss from "./page/offline.css" with { type: "file" };
import offline from "./page/offline.html" with { type: "file" };
import page from "./page/page.html";
import trust from "./page/trust/trust.html";
import worker from "./page/worker.js" with { type: "file" };

type Made = { name: string; blob: Blob; isPage: boolean };
/** Each is loaded when it is opened, and nothing of it before. */
const PAGES: Record<string, string> = { page: "/", trust: "/trust" };
/** What a compiled program has of the page; from source there is only the path of the HTML. */
type Embedded = { files?: { path: string; loader: string }[] };

const isCompiled = import.meta.dir.startsWith("/$bunfs") || import.meta.dir.startsWith("B:\\~BUN");
/**
 * In a program that was bundled files are named as they lie beside it. Compiled they all lie in one folder, by whatever
 * path Bun calls them: where two chunks share this one, without that folder (1.4.4).
 */
const placed = (path: string) => (isCompiled ? join(import.meta.dir, basename(path)) : resolve(import.meta.dir, path));

/** Names that stand in the manifest or in a script: they stay the same. */
const NAMED: Record<string, { path: string; type: string }> = {
  "/offline": { path: offline as unknown as string, type: "text/html;charset=utf-8" },
  "/offline.css": { path: offlineCss, type: "text/css;charset=utf-8" },
  "/icon.svg": { path: iconSvg, type: "image/svg+xml" },
  "/icon-192.png": { path: icon192, type: "image/png" },
  "/icon-512.png": { path: icon512, type: "image/png" },
  "/manifest.webmanifest": { path: manifest, type: "application/manifest+json" },
  "/worker.js": { path: worker, type: "text/javascript;charset=utf-8" },
};
let made: Promise<ReadonlyMap<string, PageFile>> | undefined;

/** Every file of the page by its path; bundled when first asked for, or long before, in the compiled program. */
export function pageFiles(): Promise<ReadonlyMap<string, PageFile>> {
  made ??= make();
  return made;
}

async function make(): Promise<ReadonlyMap<string, PageFile>> {
  const [{ files }, more] = [page, trust] as unknown as [Embedded, Embedded];
  const bundled = files ? embedded([...files, ...(more.files ?? [])]) : await bundle();
  const named = Object.entries(NAMED).map(([name, { path, type }]) => ({
    name,
    blob: Bun.file(placed(path), { type }),
  }));
  const entries = [
    ...bundled.map(({ name, blob, isPage }) => file(isPage ? pathOf(name) : `/${name}`, blob, !isPage)),
    ...named.map(({ name, blob }) => file(name, blob, false)),
  ];
  return new Map(await Promise.all(entries));
}

function embedded(files: { path: string; loader: string }[]): Made[] {
  return files.map(({ path, loader }) => ({
    name: basename(path),
    blob: Bun.file(placed(path)),
    isPage: loader === "html",
  }));
}

async function bundle(): Promise<Made[]> {
  const { outputs } = await Bun.build({
    entrypoints: [page.index, trust.index],
    minify: true,
    target: "browser",
    // What is not shown at first is read later.
    splitting: true,
    // Absolute, as in the compiled program: the page is only ever at the root.
    publicPath: "/",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  return outputs.map((blob) => ({ name: basename(blob.path), blob, isPage: blob.path.endsWith(".html") }));
}

/** `trust.html`, or with a digest in a compiled program. */
function pathOf(name: string): string {
  return PAGES[name.split(/[.-]/)[0] ?? ""] ?? `/${name}`;
}

async function file(name: string, blob: Blob, fixed: boolean): Promise<[string, PageFile]> {
  const body = new Uint8Array(await blob.arrayBuffer());
  const isText = !blob.type.startsWith("image/png");
  return [name, { body, ...(isText && { gzip: Bun.gzipSync(body, { level: 9 }) }), type: blob.type, fixed }];
}
