import { statSync } from "node:fs";
import { AskState, Kind } from "../../core/ask/ask.ts";
import type { Paths } from "../../machine/home.ts";
import { ACTIVE, type Store } from "../../store/store.ts";
import { startCounting } from "./metrics-count.ts";
import { type Family, type Labels, metricsText, type Sample } from "../../core/text/metrics-text.ts";
import { RECEIPT_LIMITS, type Tally, WAIT_LIMITS } from "./metrics-tally.ts";

type Deps = {
  store: Store;
  paths: Paths;
  version: string;
  startedAt: number;
  now: () => number;
  holds: { readonly size: number };
  feed: { readonly readers: number };
  /** By channel and result, since the daemon started. */
  notifications: () => readonly { channel: string; result: string; count: number }[];
  failed: (error: unknown) => void;
  /** What comes before the log is counted. */
  after: Promise<void>;
};
export type Metrics = ReturnType<typeof createMetrics>;

/** What Prometheus is told. A scrape reads no table: the log is counted as it grows. */
export function createMetrics(deps: Deps) {
  const { store, paths, failed, after } = deps;
  const counting = startCounting({ store, paths, failed, after });
  return {
    text(): string {
      const tally = counting.now();
      const counted = tally ? [...inboxFamilies(tally), ...historyFamilies(tally)] : [];
      return metricsText([...processFamilies(deps, tally !== undefined), ...counted].filter(hasSamples));
    },
    stop: counting.stop,
  };
}

function processFamilies(deps: Deps, isCounted: boolean): Family[] {
  const { paths, version, startedAt, now, holds, feed, notifications } = deps;
  const { user, system } = process.cpuUsage();
  const sent = notifications().map(({ channel, result, count }) => ({ labels: { channel, result }, value: count }));
  return [
    gauge("parley_build_info", "Always 1; which program runs", 1, { version, bun: Bun.version }),
    gauge("process_start_time_seconds", "When the daemon started, in Unix time", startedAt / 1000),
    gauge("parley_uptime_seconds", "How long the daemon has run", (now() - startedAt) / 1000),
    gauge("process_resident_memory_bytes", "Memory of the daemon", process.memoryUsage.rss()),
    counter("process_cpu_seconds_total", "Processor time of the daemon", [{ value: (user + system) / 1e6 }]),
    gauge("parley_store_bytes", "Size of the database", sizeOf(paths.database)),
    gauge("parley_store_wal_bytes", "Size of its write-ahead log", sizeOf(`${paths.database}-wal`)),
    gauge("parley_holds", "Hooks that wait on the line for an answer", holds.size),
    gauge("parley_subscribers", "Readers of live events", feed.readers),
    counter("parley_notifications_total", "Notifications since the daemon started", sent),
    gauge(
      "parley_log_counted",
      "Whether what comes from the event log is complete (1) or still being read (0)",
      Number(isCounted),
    ),
  ];
}

function inboxFamilies({ active }: Tally): Family[] {
  const asks = Object.values(active);
  const states = AskState.options.filter((state) => ACTIVE.includes(state));
  const byState = states.flatMap((state) =>
    Kind.options.map((kind) => ({
      labels: { state, kind },
      value: asks.filter((ask) => ask.state === state && ask.kind === kind).length,
    })),
  );
  const deliveries = asks.flatMap((ask) => ask.deliveries);
  const byDelivery = ["waiting", "sent"].map((state) => ({
    labels: { state },
    value: deliveries.filter((delivery) => delivery.state === state).length,
  }));
  return [
    { name: "parley_asks", type: "gauge", help: "Asks that are not done", samples: byState },
    { name: "parley_deliveries", type: "gauge", help: "Their deliveries that are not done", samples: byDelivery },
  ];
}

function historyFamilies({ events, captured, settled, done, deliveries, waits, receipts }: Tally): Family[] {
  const byKind = (spread: Tally["waits"]) =>
    Object.entries(spread).map(([kind, { counts, sum }]) => ({ labels: { kind }, counts, sum }));
  return [
    counter("parley_events_total", "Events in the log, pruned ones included", samples(events, ["type"])),
    counter("parley_asks_captured_total", "Asks that came in", samples(captured, ["kind"])),
    counter(
      "parley_asks_settled_total",
      "Asks that were decided, by the first outcome",
      samples(settled, ["kind", "outcome", "actor", "surface"]),
    ),
    counter(
      "parley_asks_done_total",
      "Asks that are done, by their last state and outcome",
      samples(done, ["kind", "state", "outcome"]),
    ),
    counter("parley_deliveries_total", "Deliveries that reached a state", samples(deliveries, ["state"])),
    {
      name: "parley_ask_wait_seconds",
      type: "histogram",
      help: "From asked to decided",
      limits: WAIT_LIMITS,
      samples: byKind(waits),
    },
    {
      name: "parley_receipt_seconds",
      type: "histogram",
      help: "From decided to proved by the agent's own record",
      limits: RECEIPT_LIMITS,
      samples: byKind(receipts),
    },
  ];
}

function gauge(name: string, help: string, value: number, labels: Labels = {}): Family {
  return { name, type: "gauge", help, samples: [{ labels, value }] };
}

function counter(name: string, help: string, all: readonly Sample[]): Family {
  return { name, type: "counter", help, samples: all };
}

function samples(counts: Record<string, number>, names: readonly string[]): Sample[] {
  return Object.entries(counts).map(([key, value]) => {
    const parts = names.length === 1 ? [key] : key.split(" ");
    return { labels: Object.fromEntries(names.map((name, i) => [name, parts[i] ?? ""])), value };
  });
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

const hasSamples = (family: Family) => family.samples.length > 0;
