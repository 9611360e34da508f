import { writeSync } from "node:fs";

const AGAIN_MS = 500;
/** What ends by itself: somebody makes room, or mounts the disk again. */
const PASSING = /^(ENOSPC|EDQUOT|EIO|EROFS|EAGAIN|EMFILE|ENFILE)$/;

export const isPassing = (error: unknown): boolean =>
  PASSING.test((error as NodeJS.ErrnoException | undefined)?.code ?? "");

/** Does it as soon as the disk allows; any other error is the caller's. */
export async function whenWritable<T>(write: () => T): Promise<T> {
  for (;;) {
    try {
      return write();
    } catch (error) {
      if (!isPassing(error)) throw error;
      await Bun.sleep(AGAIN_MS);
    }
  }
}

/** All of it, also when the disk takes only a part at first. */
export async function writeWholly(file: number, bytes: Buffer): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const from = done;
    done += await whenWritable(() => writeSync(file, bytes, from, bytes.length - from));
  }
}

const FIRST_MS = 1000;
const LONGEST_MS = 5000;

/** Does it again, at growing pauses, until it is done or nobody wants it any more; `failed` hears of the first failure. */
export async function untilDone(
  work: () => Promise<void>,
  { isOver, failed }: { isOver: () => boolean; failed: (error: unknown) => void },
): Promise<void> {
  for (let pause = FIRST_MS; ; pause = Math.min(pause * 2, LONGEST_MS)) {
    try {
      return await work();
    } catch (error) {
      if (isOver()) return;
      if (pause === FIRST_MS) failed(error);
    }
    await new Promise((resolve) => setTimeout(resolve, pause).unref());
    if (isOver()) return;
  }
}
