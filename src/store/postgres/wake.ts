import { createHolder } from "./database.ts";
import { type Line, openLine, type Target } from "./line.ts";

type Deps = {
  target: Target;
  channel: string;
  pollMs: number;
  /** With what was told; without: somebody may have told something that was not heard. */
  wake(told?: string): void;
};

/**
 * Hears notifications. They are never replayed and a lost connection says nothing, so every `pollMs` it wakes by itself and
 * asks for them anew, on a new line where the last one is gone.
 */
export function createWaker({ target, channel, pollMs, wake }: Deps) {
  const holder = createHolder(() => openLine(target, { size: 1, heard: (_, told) => wake(told) }));
  const timer = setInterval(look, pollMs);
  timer.unref();
  look();

  /** At once, and again after notifications are on: the line may be a new one, or one that does not answer. */
  function look(): void {
    wake();
    void listen().then(() => wake());
  }

  async function listen(): Promise<void> {
    let line: Line | undefined;
    try {
      line = holder.line();
      await line.run(`LISTEN "${channel}"`);
    } catch (error) {
      line?.lose(error as Error);
    }
  }

  return {
    async stop(): Promise<void> {
      clearInterval(timer);
      await holder.end();
    },
  };
}
