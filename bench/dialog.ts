// `bun bench/dialog.ts`: how soon the terminal dialog is there, how soon a key shows, what it holds.
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atMost, median, ms, p50p99, type Part, percentile, type Row } from "./row.ts";

const ROOT = join(import.meta.dir, "..");
const PROGRAM = join(ROOT, "test/terminal/dialog-program.ts");
const STARTS = 15;
const KEYS = 300;
const LIMITS = { paintMs: 150, keyMs: 5 };

const option = (label: string) => ({ label, description: `What ${label} means for the one who chooses it` });
const questions = [
  { header: "Store", text: "Which store?", options: ["SQLite", "Postgres", "Files", "Memory"].map(option) },
];
const hostile = [
  {
    header: "Huge",
    text: "\u001b[31m日本 ".repeat(120_000),
    options: Array.from({ length: 10_000 }, (_, i) => ({ label: `${i} ${"👩‍💻 ".repeat(i < 20 ? 100_000 : 1)}` })),
  },
];

export const dialog: Part = {
  name: "dialog",
  about: "the terminal dialog: first paint, a key, memory",
  notes: [
    "Dialog: a program of its own in a real pseudo-terminal, from source. First paint: from the start of the process to the bytes of the first frame. A key: from the write into the terminal to the frame that shows it.",
  ],
  async run(say) {
    say("first paint");
    const paints: { time: number; cpu: number }[] = [];
    for (let i = 0; i < STARTS; i++) paints.push(await firstPaint(questions));
    const paint = median(paints.map(({ time }) => time));
    const cpu = median(paints.map(({ cpu: used }) => used));
    say("keys");
    const usual = await keys(questions);
    const huge = await keys(hostile);
    return [
      { ...limited("dialog: first paint, median", paint, LIMITS.paintMs), beside: `of the processor: ${ms(cpu)}` },
      {
        ...limited("dialog: a key until it shows, p99", percentile(usual.times, 0.99), LIMITS.keyMs),
        beside: `p50 / p99: ${p50p99(usual.times)}`,
      },
      { what: "the same with a question of 1 MiB and 10,000 options", measured: p50p99(huge.times) },
      {
        what: "dialog: resident memory of the whole program",
        measured: `${usual.megabytes} MB`,
        beside: `10,000 options: ${huge.megabytes} MB`,
      },
    ];
  },
};

function limited(what: string, value: number, limit: number): Row {
  return { what, measured: ms(value), aim: `≤ ${limit} ms`, ...atMost(value, limit) };
}

async function firstPaint(asked: readonly object[]): Promise<{ time: number; cpu: number }> {
  const start = performance.now();
  const window = open(asked);
  await window.shows("\u2500\u2500\u2500");
  const time = performance.now() - start;
  return { time, cpu: await window.close() };
}

async function keys(asked: readonly object[]): Promise<{ times: number[]; megabytes: number }> {
  const window = open(asked);
  await window.shows("\u2500\u2500\u2500");
  await Bun.sleep(500);
  const times: number[] = [];
  for (let i = 0; i < KEYS; i++) {
    const start = performance.now();
    window.send(Math.floor(i / 10) % 2 === 0 ? "j" : "k");
    await window.shows("\u001b[?2026l");
    times.push(performance.now() - start);
  }
  const megabytes = await window.megabytes();
  await window.close();
  return { times: times.slice(KEYS / 10), megabytes };
}

function open(asked: readonly object[]) {
  let output = "";
  let wake = () => {};
  // Too long for an argument.
  const input = join(tmpdir(), `parley-bench-dialog-${process.pid}.json`);
  writeFileSync(input, JSON.stringify({ questions: asked }));
  const child = Bun.spawn([process.execPath, PROGRAM, `@${input}`], {
    cwd: ROOT,
    env: { PATH: process.env["PATH"] ?? "", TERM: "xterm-256color" },
    terminal: {
      data: (_, bytes) => {
        output += Buffer.from(bytes).toString();
        wake();
      },
    },
  });
  return {
    send(key: string) {
      output = "";
      child.terminal?.write(key);
    },
    async shows(wanted: string) {
      while (!output.includes(wanted)) await new Promise<void>((done) => (wake = done));
    },
    async megabytes() {
      const rss = await Bun.$`ps -o rss= -p ${child.pid}`.text();
      return Math.round(Number(rss) / 1024);
    },
    async close() {
      child.kill();
      await child.exited;
      child.terminal?.close();
      rmSync(input, { force: true });
      return Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1000;
    },
  };
}

if (import.meta.main) {
  const rows = await dialog.run((progress) => process.stderr.write(`${progress}\n`));
  console.log("| what | measured | beside | aim |\n|---|---|---|---|");
  for (const { what, measured, beside = "", aim = "", met } of rows) {
    console.log(`| ${what} | ${measured} | ${beside} | ${aim}${met === undefined ? "" : met ? ", met" : ", missed"} |`);
  }
}
