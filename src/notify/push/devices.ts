import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Clock } from "../../inbox/inbox.ts";
import { writeAtomic } from "../../machine/file/atomic-file.ts";
import { createSerial } from "../../machine/time/serial.ts";
import { newVapid, type Vapid } from "./vapid.ts";

/** Where a browser that signed in takes pushes. `browser`: its id among those. */
export type Subscription = { browser: string; endpoint: string; p256dh: string; auth: string; at: number };
/** A browser that may come in now, and is called so. */
export type Signed = { id: string; name: string };
export type Device = Subscription & { name: string };
export type Devices = ReturnType<typeof createDevices>;

const Kept = z.object({
  vapid: z.object({ publicKey: z.string(), privateKey: z.string() }),
  subscriptions: z.array(
    z.object({ browser: z.string(), endpoint: z.string(), p256dh: z.string(), auth: z.string(), at: z.number() }),
  ),
});
type Kept = z.infer<typeof Kept>;

/**
 * Our own key, and who takes pushes. Contract: nobody gets one who is not signed in at that moment; what is answered is on
 * disk. Without a file nothing outlives the process.
 */
export function createDevices({
  file,
  signed,
  now,
}: {
  file?: string | undefined;
  signed: () => Signed[];
  now: Clock;
}) {
  const serial = createSerial();
  let kept: Kept | undefined = file === undefined ? undefined : read(file);

  async function change(step: (before: Kept) => Subscription[]): Promise<void> {
    await serial("devices", async () => {
      const before = kept ?? { vapid: newVapid(), subscriptions: [] };
      const next = { ...before, subscriptions: step(before) };
      if (kept && Bun.deepEquals(next, kept)) return;
      if (file !== undefined) await writeAtomic(file, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600, own: true });
      kept = next;
    });
  }

  return {
    list(): Device[] {
      const names = new Map(signed().map(({ id, name }) => [id, name]));
      return (kept?.subscriptions ?? []).flatMap((each) => {
        const name = names.get(each.browser);
        return name === undefined ? [] : [{ ...each, name }];
      });
    },
    /** Made when it is first asked for, on disk before a browser hears it. */
    async vapid(): Promise<Vapid> {
      if (!kept) await change(({ subscriptions }) => subscriptions);
      return (kept as Kept).vapid;
    },
    /** One for each browser; those of browsers that are signed out go. */
    async keep(subscription: Omit<Subscription, "at">): Promise<void> {
      const { browser, endpoint } = subscription;
      await change(({ subscriptions }) => {
        const known = new Set(signed().map(({ id }) => id));
        const others = subscriptions.filter(
          (each) => each.browser !== browser && each.endpoint !== endpoint && known.has(each.browser),
        );
        return [...others, { ...subscription, at: now() }];
      });
    },
    /** By its browser or its address. */
    async drop(which: { browser: string } | { endpoint: string }): Promise<void> {
      const isMeant = (each: Subscription) =>
        "browser" in which ? each.browser === which.browser : each.endpoint === which.endpoint;
      if (kept?.subscriptions.some(isMeant))
        await change(({ subscriptions }) => subscriptions.filter((each) => !isMeant(each)));
    },
  };
}

/** What cannot be read reaches nobody: browsers subscribe anew when their page is opened. */
function read(file: string): Kept | undefined {
  try {
    return Kept.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return undefined;
  }
}
