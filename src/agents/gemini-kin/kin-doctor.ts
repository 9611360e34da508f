import { existsSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { parse } from "jsonc-parser";
import { note, ok, problem, type Finding } from "../../core/finding.ts";
import { asRecord } from "../../core/record.ts";
import { readExact } from "../../machine/file/atomic-file.ts";
import type { AgentDoctor } from "../capability/doctor.ts";
import type { Hook } from "../hook-lines.ts";
import { hooksIn } from "../hook-settings.ts";
import type { Install } from "../capability/install.ts";
import { lookInstalled } from "../installed.ts";

type Tried = { version: string; verified: boolean; terminal: boolean };
type Env = Record<string, string | undefined>;
export type Kin = {
  name: string;
  title: string;
  program: string;
  npm: string;
  versionIn(output: string): string | undefined;
  /** By the live check, newest first. */
  conformance: readonly Tried[];
  install: Install;
  isOurs: RegExp;
  hooksFor(program: string, hold: boolean): Hook[];
  /** What in its settings keeps its hooks from running. */
  isOff(settings: Record<string, unknown>): string | undefined;
};

/** Says nothing where the agent is neither installed nor set up. */
export const kinDoctor =
  (kin: Kin): AgentDoctor =>
  async ({ env, cwd, program }) => {
    const path = kin.install.settingsPath({ env, cwd });
    const get = `npm install -g ${kin.npm}`;
    const { finding, installed } = await lookInstalled({ agent: kin, env, tried: kin.conformance, install: get });
    const setUp = await checkSetUp(kin, path, program);
    if (!installed && !setUp.isSetUp) return { findings: [], settings: [], isSetUp: false };
    return {
      findings: [finding, setUp.finding],
      settings: [...setUp.settings, ...checkTmux(kin, env)],
      isSetUp: setUp.isSetUp,
      ...(installed && { installed }),
    };
  };

async function checkSetUp(
  kin: Kin,
  path: string,
  program: string,
): Promise<{ finding: Finding; settings: Finding[]; isSetUp: boolean }> {
  const { name, title } = kin;
  const fix = `parley setup ${name}`;
  const none = note(name, `${title} does not ask through Parley: its settings have no hooks of Parley's`, fix);
  if (!existsSync(path)) return { finding: none, settings: [], isSetUp: false };
  try {
    const text = await readExact(path);
    const found = hooksIn({ text, file: path, isOurs: kin.isOurs, isLoose: true });
    if (found.length === 0) return { finding: none, settings: [], isSetUp: false };
    const off = kin.isOff(asRecord(parse(text ?? "")) ?? {});
    const settings =
      off === undefined ? [] : [problem(name, `${path}: ${off}: no hook runs`, `take that out of ${path}`)];
    return { finding: judged(kin, { path, program, found }), settings, isSetUp: true };
  } catch (error) {
    return { finding: problem(name, (error as Error).message, `fix ${path}`), settings: [], isSetUp: false };
  }
}

function judged(
  { name, title, hooksFor }: Kin,
  { path, program, found }: { path: string; program: string; found: Hook[] },
): Finding {
  const isAs = (hold: boolean) => {
    const wanted = hooksFor(program, hold);
    return (
      wanted.length === found.length && wanted.every((hook) => found.some((each) => isDeepStrictEqual(each, hook)))
    );
  };
  if (isAs(false)) return ok(name, `${path}: ${title} asks through this Parley; answers are typed into its dialog`);
  if (isAs(true)) return ok(name, `${path}: ${title} asks through this Parley, in hold mode`);
  return problem(name, `${path} has hooks of another Parley or version`, `parley setup ${name}`);
}

/** Without tmux there is no dialog that Parley can type into. */
function checkTmux({ name, title }: Kin, env: Env): Finding[] {
  if (Bun.which("tmux", { PATH: env["PATH"] ?? "" }) !== null) return [];
  return [
    note(
      name,
      `tmux is not on your PATH: what ${title} asks is seen, and answered only in its terminal`,
      "install tmux",
    ),
  ];
}
