/** One more connection, in a thread of its own: while it waits for the disk, whoever asks or answers does not. */
export type CheckpointThread = {
  isRunning(): boolean;
  /** Moves what is in the log; what is written meanwhile stays there. Rejects where the thread cannot be had: nothing is lost. */
  pass(): Promise<void>;
  /** Contract: resolves when its connection is closed; then `pass` may start it again. */
  stop(): Promise<void>;
};

/** Who does not hear of its end by then goes on without. */
const STOP_MS = 2000;
/** Frames: so few are left to the thread that everybody waits for. */
const FEW = 300;
const PASSES = 4;

/**
 * A text, not a file: the compiled program and the packed one have no file of it. Each pass takes less time than the one
 * before and leaves less behind, unless more is written than the disk takes.
 */
const SOURCE = `
import { Database } from "bun:sqlite";
let db;
onmessage = ({ data: path }) => {
  if (path === undefined) {
    db?.close();
    process.exit(0);
  }
  try {
    db ??= new Database(path, { readwrite: true, create: false });
    db.run("PRAGMA synchronous = FULL");
    let before = 0;
    for (let left = ${PASSES}; left > 0; left--) {
      const { log } = db.query("PRAGMA wal_checkpoint(PASSIVE)").get();
      if (log - before < ${FEW}) break;
      before = log;
    }
  } catch {
    // A full disk, a reader: the next one is as good.
  }
  postMessage("passed");
};`;

export function createCheckpointThread(path: string, source = SOURCE): CheckpointThread {
  let running: ReturnType<typeof start> | undefined;

  function passIn(thread: NonNullable<typeof running>): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    thread.passed = resolve;
    void thread.ended.then(() => {
      if (running === thread) running = undefined;
      reject(new Error("the thread for checkpoints has ended"));
    });
    thread.worker.postMessage(path, []);
    return promise;
  }

  return {
    isRunning: () => running !== undefined,
    pass: () => passIn((running ??= start(source))),
    async stop() {
      if (!running) return;
      const { worker, ended } = running;
      running = undefined;
      worker.ref();
      worker.postMessage(undefined, []);
      const { promise: isLate, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, STOP_MS);
      await Promise.race([ended, isLate]);
      clearTimeout(timer);
    },
  };
}

function start(source: string) {
  const url = URL.createObjectURL(new Blob([source], { type: "application/javascript" }));
  const worker = new Worker(url, { smol: true });
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const thread = { worker, ended, passed: () => {} };
  worker.addEventListener("message", () => thread.passed());
  // Its end is heard of anyway.
  worker.addEventListener("error", (event) => event.preventDefault());
  worker.addEventListener("close", () => {
    URL.revokeObjectURL(url);
    end();
  });
  worker.unref();
  return thread;
}
