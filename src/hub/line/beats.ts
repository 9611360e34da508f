/** Long enough that many come together, and nothing beside the silence after which a machine or a hub gives up. */
const TOGETHER_MS = 1000;

type Deps<Line> = {
  linkOf: (line: Line) => string;
  /** Of these connections those that count; contract: it is on disk that they were heard. */
  keep: (links: readonly string[]) => Promise<ReadonlySet<string>>;
  done: (line: Line, counts: boolean) => void;
  failed: (line: Line, error: unknown) => void;
};

/**
 * Machines that only say that they are there: a thousand of them do so a hundred times a second. They are written down
 * together, and answered after that.
 */
export function createBeats<Line>({ linkOf, keep, done, failed }: Deps<Line>) {
  let heard = new Set<Line>();
  const timer = setInterval(() => void flush(), TOGETHER_MS);

  async function flush(): Promise<void> {
    if (heard.size === 0) return;
    const lines = [...heard];
    heard = new Set();
    try {
      const counting = await keep(lines.map(linkOf));
      for (const line of lines) done(line, counting.has(linkOf(line)));
    } catch (error) {
      for (const line of lines) failed(line, error);
    }
  }

  return {
    add: (line: Line): void => void heard.add(line),
    flush,
    stop: (): void => clearInterval(timer),
  };
}
