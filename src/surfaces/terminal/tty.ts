// `node:tty` takes 9 ms to load in Bun and `process.stdout` 15: what commands ask of them is asked of the binding both stand on.

type Binding = {
  isTTY(fd: number): boolean;
  TTY: new (fd: number) => { getWindowSize(size: [columns: number, rows: number]): unknown };
};

/** It is nowhere promised: without it the long way is gone. */
function binding(): Binding | undefined {
  try {
    const { binding: open } = process as unknown as { binding?: (name: string) => Partial<Binding> };
    const found = open?.call(process, "tty_wrap");
    return typeof found?.isTTY === "function" && typeof found.TTY === "function" ? (found as Binding) : undefined;
  } catch {
    return undefined;
  }
}

const bound = binding();

export function isTty(fd: number): boolean {
  return bound ? bound.isTTY(fd) : process.getBuiltinModule("node:tty").isatty(fd);
}

/** Of the terminal that standard output is; undefined where it does not say. */
export function columnsOfOutput(): number | undefined {
  if (!bound) return process.stdout.columns || undefined;
  const size: [number, number] = [0, 0];
  try {
    new bound.TTY(1).getWindowSize(size);
  } catch {
    return undefined;
  }
  return size[0] || undefined;
}
