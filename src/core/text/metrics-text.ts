export type Labels = Readonly<Record<string, string>>;
export type Sample = { labels?: Labels; value: number };
export type Histogram = { labels?: Labels; counts: readonly number[]; sum: number };
export type Family =
  | { name: string; type: "counter" | "gauge"; help: string; samples: readonly Sample[] }
  /** `counts`: how many fell at or under each limit and not under the one before; the last one: above all. */
  | { name: string; type: "histogram"; help: string; limits: readonly number[]; samples: readonly Histogram[] };

/** Prometheus' text format, version 0.0.4. */
export function metricsText(families: readonly Family[]): string {
  return families.map((family) => `${head(family)}${linesOf(family).join("\n")}\n`).join("");
}

function head({ name, type, help }: Family): string {
  return `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}\n# TYPE ${name} ${type}\n`;
}

function linesOf(family: Family): string[] {
  const { name } = family;
  if (family.type !== "histogram") return family.samples.map(({ labels, value }) => line(name, labels, value));
  return family.samples.flatMap(({ labels = {}, counts, sum }) => {
    let total = 0;
    const buckets = [...family.limits.map(String), "+Inf"].map((le, i) =>
      line(`${name}_bucket`, { ...labels, le }, (total += counts[i] ?? 0)),
    );
    return [...buckets, line(`${name}_sum`, labels, sum), line(`${name}_count`, labels, total)];
  });
}

function line(name: string, labels: Labels = {}, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${pairs.length > 0 ? `{${pairs.join(",")}}` : ""} ${value}`;
}

function escaped(text: string): string {
  return text.toWellFormed().replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
