import type { Campaign, Report } from "../../scripts/campaign.ts";
import { SHAPES, type Shape } from "./keys-shapes.ts";
import { openKeysStage, type Played, play } from "./keys-stage.ts";
import { VERSIONS } from "./stage.ts";

type Kind = Played["kind"] | "broken";
type Group = { version: string; shapes: [name: string, shape: Shape][] };

/** Every shape of the dialog, in every version, answered by keys and compared with what the model received. */
export const keys: Campaign = {
  title: "Keys into every shape of the dialog",
  counts: "rounds",
  usual: 20,
  page: "docs/keys.md",
  async run({ amount, until, jobs, progress }): Promise<Report> {
    const tally = new Map<string, Partial<Record<Kind, number>>>();
    const failures: string[] = [];
    const stops: string[] = [];
    const rounds = Array.from({ length: amount }, groups).flat();
    let counted = 0;
    const note = (version: string, name: string, kind: Kind, detail: string) => {
      counted += 1;
      const counts = tally.get(`${version} ${name}`) ?? {};
      tally.set(`${version} ${name}`, { ...counts, [kind]: (counts[kind] ?? 0) + 1 });
      if (kind === "wrong") failures.push(`${version} ${name}: ${detail}`);
      if (kind === "stopped" || kind === "broken") stops.push(`${version} ${name}: ${detail.split("\n")[0]}`);
      progress(`${counted}: ${version} ${name}: ${kind}${kind === "right" || kind === "refused" ? "" : ` ${detail}`}`);
    };
    const work = async () => {
      for (let group = rounds.shift(); group && performance.now() < until; group = rounds.shift())
        await playAll(group, note);
    };
    await Promise.all(Array.from({ length: Math.min(jobs, 4) }, work));
    return { rows: rowsOf(tally, stops), failures, counted };
  },
};

/** One agent in one terminal for all shapes of its size; after a surprise the next shape gets a new one. */
async function playAll(
  { version, shapes }: Group,
  note: (version: string, name: string, kind: Kind, detail: string) => void,
): Promise<void> {
  for (let rest = shapes; rest.length > 0;) {
    const [first] = rest;
    if (!first) return;
    await using stage = await openKeysStage(version, first[1].size);
    for (const [name, shape] of rest) {
      rest = rest.slice(1);
      const { kind, detail } = await play(stage, shape, version).catch((error: Error) => ({
        kind: "broken" as const,
        detail: error.message,
      }));
      note(version, name, kind, detail);
      if (kind !== "right" && kind !== "refused") break;
    }
  }
}

function groups(): Group[] {
  const bySize = Object.values(Object.groupBy(Object.entries(SHAPES), ([, { size }]) => size.join("×")));
  return VERSIONS.flatMap((version) => bySize.flatMap((shapes) => (shapes ? [{ version, shapes }] : [])));
}

function rowsOf(tally: Map<string, Partial<Record<Kind, number>>>, stops: readonly string[]): Report["rows"] {
  const said = (version: string, name: string) =>
    Object.entries(tally.get(`${version} ${name}`) ?? {})
      .map(([kind, count]) => `${count} ${kind}`)
      .join(", ");
  const perShape = Object.keys(SHAPES).map((name): [string, string] => [
    name,
    VERSIONS.map((version) => `${version}: ${said(version, name) || "not played"}`).join(" · "),
  ]);
  const all = [...tally.values()];
  const total = (kind: Kind) => all.reduce((sum, counts) => sum + (counts[kind] ?? 0), 0);
  const totals = (["right", "refused", "stopped", "broken", "wrong"] as const).map((kind): [string, number] => [
    kind,
    total(kind),
  ]);
  return [...totals, ...perShape, ...stops.map((stop): [string, string] => ["stopped", stop.replaceAll("|", "/")])];
}
