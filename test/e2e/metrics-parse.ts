export type Sample = { name: string; labels: Record<string, string>; value: number };
export type Family = { name: string; type: string; help: string; samples: Sample[] };

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*/;
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"/;

/**
 * Prometheus' text format 0.0.4, strictly: every family has its HELP, then its TYPE, then all its samples, once; no two
 * samples are the same; histograms add up. Throws with the line that breaks a rule.
 */
export function parseMetrics(text: string): Map<string, Family> {
  const families = new Map<string, Family>();
  const seen = new Set<string>();
  if (!text.endsWith("\n")) throw new Error("the last line does not end");
  let current: Family | undefined;
  let help: { name: string; text: string } | undefined;
  for (const line of text.slice(0, -1).split("\n")) {
    const broken = (why: string) => new Error(`${why}: ${line}`);
    const comment = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line);
    if (comment?.[1] === "HELP") {
      help = { name: comment[2] ?? "", text: comment[3] ?? "" };
      if (!/^(?:[^\\]|\\[\\n])*$/.test(help.text)) throw broken("bad escape");
      continue;
    }
    if (comment) {
      const [, , name = "", type = ""] = comment;
      if (help?.name !== name) throw broken("TYPE without its HELP before it");
      if (!["counter", "gauge", "histogram"].includes(type)) throw broken("unknown type");
      if (families.has(name)) throw broken("a family twice");
      current = { name, type, help: help.text, samples: [] };
      families.set(name, current);
      continue;
    }
    const sample = parseSample(line);
    if (!current || !belongs(sample.name, current)) throw broken("a sample outside of its family");
    const id = `${sample.name} ${Object.entries(sample.labels).map(String).toSorted().join(" ")}`;
    if (seen.has(id)) throw broken("a sample twice");
    seen.add(id);
    if (current.type === "counter" && (!current.name.endsWith("_total") || sample.value < 0))
      throw broken("no counter");
    current.samples.push(sample);
  }
  for (const family of families.values()) {
    if (family.samples.length === 0) throw new Error(`${family.name} has no samples`);
    if (family.type === "histogram") checkHistogram(family);
  }
  return families;
}

function parseSample(line: string): Sample {
  const broken = (why: string) => new Error(`${why}: ${line}`);
  const name = NAME.exec(line)?.[0];
  if (name === undefined) throw broken("no name");
  const labels: Record<string, string> = {};
  let rest = line.slice(name.length);
  if (rest.startsWith("{")) {
    for (rest = rest.slice(1); !rest.startsWith("}");) {
      const [whole, label, value] = LABEL.exec(rest) ?? [];
      if (whole === undefined || label === undefined) throw broken("no label");
      if (label in labels) throw broken("a label twice");
      labels[label] = (value ?? "").replaceAll(/\\(.)/g, (_, c: string) => (c === "n" ? "\n" : c));
      rest = rest.slice(whole.length);
      if (rest.startsWith(",")) rest = rest.slice(1);
      else if (!rest.startsWith("}")) throw broken("labels do not end");
    }
    rest = rest.slice(1);
  }
  const number = /^ (\+Inf|-Inf|NaN|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/.exec(rest)?.[1];
  if (number === undefined) throw broken("no value");
  return { name, labels, value: Number(number.replace("Inf", "Infinity")) };
}

function belongs(sample: string, { name, type }: Family): boolean {
  return type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`].includes(sample) : sample === name;
}

function checkHistogram({ name, samples }: Family): void {
  const groups = Map.groupBy(samples, ({ labels: { le: _le, ...rest } }) => JSON.stringify(rest));
  for (const group of groups.values()) {
    const buckets = group.filter((sample) => sample.name === `${name}_bucket`);
    const limits = buckets.map(({ labels }) => Number((labels["le"] ?? "").replace("+Inf", "Infinity")));
    const grows = (numbers: number[]) => numbers.every((n, i) => i === 0 || n >= (numbers[i - 1] ?? 0));
    const count = group.find((sample) => sample.name === `${name}_count`)?.value;
    const hasSum = group.some((sample) => sample.name === `${name}_sum`);
    if (!grows(limits) || limits.at(-1) !== Infinity) throw new Error(`${name}: the buckets are ${limits.join()}`);
    if (!grows(buckets.map(({ value }) => value))) throw new Error(`${name}: a bucket has less than the one before`);
    if (buckets.at(-1)?.value !== count || !hasSum) throw new Error(`${name}: count or sum is wrong`);
  }
}
