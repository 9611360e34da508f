import { note, ok, problem, type Finding } from "../core/finding.ts";
import type { Standing } from "./capability/doctor.ts";

/** What the live check saw of one version. */
type Tried = { version: string; verified: boolean; terminal: boolean };
type Wanted = {
  agent: { name: string; title: string; program: string };
  env: Record<string, string | undefined>;
  /** Newest first. */
  tried: readonly Tried[];
  /** The line that installs it. */
  install: string;
  /** Why a version cannot work, where that is known without a trial. */
  refuse?(version: string): string | undefined;
};
export type Installed = { finding: Finding; installed?: { path: string; version?: string; standing?: Standing } };

/** The program as the shell finds it, and what is known about its version. */
export async function lookInstalled({ agent, env, tried, install, refuse }: Wanted): Promise<Installed> {
  const { name, title, program } = agent;
  const path = Bun.which(program, { PATH: env["PATH"] ?? "" });
  if (path === null) return { finding: note(name, `${title} is not on your PATH`, install) };
  const version = await versionOf(path, env);
  if (version === undefined)
    return {
      finding: problem(name, `${path} does not report its version`, `see why: ${path} --version`),
      installed: { path },
    };
  const works = tried.filter(({ verified, terminal }) => verified && terminal).map((each) => each.version);
  const it = `${title} ${version} (${path})`;
  const found = (standing: Standing, finding: Finding): Installed => ({
    finding,
    installed: { path, version, standing },
  });
  if (works.includes(version)) return found("works", ok(name, `${it}: tested`));
  if (tried.some((each) => each.version === version))
    return found("fails", problem(name, `${it} was tried and does not work with Parley`, install));
  const why = refuse?.(version);
  if (why !== undefined) return found("fails", problem(name, `${it}: ${why}`, install));
  const live = `parley doctor --live --agent ${name}`;
  const words = `${it} was not tested; ${works.join(", ")} ${works.length === 1 ? "was" : "were"}`;
  return found("untried", note(name, words, live));
}

async function versionOf(path: string, env: Record<string, string | undefined>): Promise<string | undefined> {
  const child = Bun.spawn([path, "--version"], { env, stdio: ["ignore", "pipe", "pipe"], timeout: 30_000 });
  // Some say it where errors go.
  const said = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return said.map((text) => /\d+\.\d+\.\d+(-[\w.-]+)?/.exec(text.slice(0, 1000))?.[0]).find((found) => found);
}
