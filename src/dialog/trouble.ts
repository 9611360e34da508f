type Reaction = {
  /** Gives the terminal back for a while. */
  suspend: () => void;
  resume: () => void;
  /** Gives the terminal back for good. Contract: may be called again. */
  end: () => void;
};

const DEADLY = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

/** Everything that can end or stop this process while it holds the terminal. */
export function onTrouble({ suspend, resume, end }: Reaction): { stop: () => void; forget: () => void } {
  const deadly = DEADLY.map((signal) => [signal, () => die(signal)] as const);
  let unstopped: ReturnType<typeof setTimeout> | undefined;

  function die(signal: NodeJS.Signals): void {
    end();
    // With a handler of its own the host decides; without one the signal does what it does everywhere.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  }
  function fail(): void {
    if (process.listenerCount("uncaughtException") === 0) end();
  }
  function reject(reason: unknown): void {
    if (process.listenerCount("unhandledRejection") > 1) return;
    end();
    // Bun tells the monitor nothing about rejections; thrown, it ends the process as it would have without us.
    throw reason;
  }
  /** Whom to stop: 0 is the whole job, as the terminal itself would do for Ctrl+Z. */
  function stop(whom: number): void {
    suspend();
    process.off("SIGTSTP", stopped);
    process.once("SIGCONT", go);
    process.kill(whom, "SIGTSTP");
    // Without a shell that could continue it, the system does not stop a process, and nothing would wake us.
    unstopped = setTimeout(go, 200);
  }
  function stopped(): void {
    stop(process.pid);
  }
  function go(): void {
    clearTimeout(unstopped);
    process.off("SIGCONT", go);
    process.on("SIGTSTP", stopped);
    resume();
  }

  // First, so that what the host's own handlers print is on the screen a person sees.
  for (const [signal, react] of deadly) process.prependListener(signal, react);
  process.on("SIGTSTP", stopped);
  process.on("uncaughtExceptionMonitor", fail);
  process.on("unhandledRejection", reject);
  process.prependListener("exit", end);

  return {
    stop: () => stop(0),
    forget() {
      clearTimeout(unstopped);
      for (const [signal, react] of deadly) process.off(signal, react);
      process.off("SIGTSTP", stopped);
      process.off("SIGCONT", go);
      process.off("uncaughtExceptionMonitor", fail);
      process.off("unhandledRejection", reject);
      process.off("exit", end);
    },
  };
}
