import { type Family, metricsText, type Sample } from "../core/text/metrics-text.ts";
import { INTENT_STATES, SILENCE_MS } from "../protocol/hub/hub.ts";
import type { HubRecords } from "../store/hub/records.ts";

type Deps = {
  records: Pick<HubRecords, "counts">;
  version: string;
  now: () => number;
  links: { count(): number; ends(): ReadonlyMap<string, number> };
  strangers: { count(): number; refused(): Readonly<Record<string, number>> };
  /** How many requests of pages and inboxes wait for news. */
  waiting: () => number;
};
export type HubMetrics = ReturnType<typeof createHubMetrics>;

/** What Prometheus is told: counts alone. What is of all hubs comes from the records, the rest is this process. */
export function createHubMetrics({ records, version, now, links, strangers, waiting }: Deps) {
  const startedAt = now();
  const answers = new Map<string, number>();

  return {
    /** A request was answered so. */
    answered(status: number): void {
      const code = String(status);
      answers.set(code, (answers.get(code) ?? 0) + 1);
    },
    async text(): Promise<string> {
      const { machines, members, openAsks, intents, events } = await records.counts(now() - SILENCE_MS);
      const { user, system } = process.cpuUsage();
      return metricsText(
        [
          gauge("parley_hub_build_info", "Always 1; which program runs", [
            { labels: { version, bun: Bun.version }, value: 1 },
          ]),
          gauge("process_start_time_seconds", "When this hub started, in Unix time", [{ value: startedAt / 1000 }]),
          gauge("process_resident_memory_bytes", "Memory of this hub", [{ value: process.memoryUsage.rss() }]),
          counter("process_cpu_seconds_total", "Processor time of this hub", [{ value: (user + system) / 1e6 }]),
          gauge(
            "parley_hub_machines",
            "Machines that have joined, at all hubs with these records",
            by("state", machines),
          ),
          gauge("parley_hub_members", "Members that are not revoked", [{ value: members }]),
          gauge("parley_hub_asks_open", "Questions that wait for an answer", [{ value: openAsks }]),
          gauge(
            "parley_hub_intents",
            "Answers given in the hub, by what became of them",
            INTENT_STATES.map((state) => ({ labels: { state }, value: intents[state] ?? 0 })),
          ),
          counter("parley_hub_events_total", "Events in the hub's log", [{ value: events }]),
          gauge("parley_hub_links", "Machines connected to this hub", [{ value: links.count() }]),
          gauge("parley_hub_links_unknown", "Lines to this hub of which it does not know yet whose they are", [
            { value: strangers.count() },
          ]),
          counter(
            "parley_hub_links_refused_total",
            "Lines that this hub has refused because too many waited to be known, of one address or in all",
            by("reason", strangers.refused()),
          ),
          gauge("parley_hub_pages_waiting", "Pages and inboxes that wait for news at this hub", [{ value: waiting() }]),
          counter(
            "parley_hub_links_ended_total",
            "Lines that this hub has ended, by why",
            by("reason", Object.fromEntries(links.ends())),
          ),
          counter(
            "parley_hub_requests_total",
            "Requests to this hub, by their status",
            by("status", Object.fromEntries(answers)),
          ),
        ].filter(({ samples }) => samples.length > 0),
      );
    },
  };
}

const gauge = (name: string, help: string, samples: Sample[]): Family => ({ name, type: "gauge", help, samples });
const counter = (name: string, help: string, samples: Sample[]): Family => ({ name, type: "counter", help, samples });
const by = (label: string, values: Readonly<Record<string, number>>): Sample[] =>
  Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }));
