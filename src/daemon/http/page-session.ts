import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { writeAtomic } from "../../machine/file/atomic-file.ts";
import type { Browser } from "../../protocol/page.ts";
import type { Clock } from "../../inbox/inbox.ts";
import { newCode } from "../../notify/chat/pairs.ts";
import { createSerial } from "../../machine/time/serial.ts";
import { same } from "./access.ts";

/** Digests of the cookie's secret and of the key that only the page has. */
type Kept = Browser & { digest: string; key: string };
/** Beside the cookie: the page's key, or what it has for its previews alone. */
export type Proof = { key: string } | { previews: string };
/** What a code is for. `name`: what the person calls the phone. */
export type Taken = { phone?: { name?: string | undefined } };
type Deps = { file: string; now: Clock };
export type PageSessions = ReturnType<typeof createPageSessions>;

const CODE_MS = 60_000;
/** Time to take the phone out of the pocket. */
const PHONE_CODE_MS = 600_000;
export const IDLE_DAYS = 30;
const DAY_MS = 86_400_000;
const NOTED_MS = 3_600_000;

/**
 * Browsers that may use the page. `parley open` gets a code that works once and for a minute; the browser changes it
 * for a cookie and a key. A browser sends the cookie to every port of this machine, the key only our page has: each is
 * worth nothing without the other. Only digests are kept: who reads the file cannot sign in.
 */
export function createPageSessions({ file, now }: Deps) {
  const codes = new Map<string, Taken & { until: number }>();
  /** Phones whose code was taken, and which are not on disk yet. */
  let arriving = 0;
  const endings = new Map<string, AbortController>();
  const serial = createSerial();
  let kept = read(file);

  const fresh = ({ seenAt }: Browser) => now() - seenAt < IDLE_DAYS * DAY_MS;
  async function keep(next: Kept[]): Promise<void> {
    const before = kept;
    kept = next;
    try {
      await serial(file, () => writeAtomic(file, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 }));
    } catch (error) {
      // Whoever is told that it failed must not find it half so.
      if (kept === next) kept = before;
      throw error;
    }
    for (const id of endings.keys()) if (!kept.some((browser) => browser.id === id)) endings.get(id)?.abort();
    for (const [id, { signal }] of endings) if (signal.aborted) endings.delete(id);
  }

  /** By the clock that is never set. */
  function forgetCodes(): void {
    for (const [digest, { until }] of codes) if (until <= performance.now()) codes.delete(digest);
  }

  /** Two phones are told apart by their names. */
  function unlike(name: string): string {
    const taken = new Set(kept.filter(fresh).map((browser) => browser.name.toLowerCase()));
    const names = [name, ...Array.from(taken, (_, i) => `${name} ${i + 2}`)];
    return names.find((each) => !taken.has(each.toLowerCase())) ?? name;
  }

  return {
    /** Ports of a machine share their cookies: each home has a name of its own. */
    cookie: `parley-${digestOf(file).slice(0, 8)}`,
    code(): { code: string; expiresAt: number } {
      forgetCodes();
      const code = randomBytes(24).toString("base64url");
      codes.set(digestOf(code), { until: performance.now() + CODE_MS });
      return { code, expiresAt: now() + CODE_MS };
    },
    /** One that can be typed; those before it are worth nothing any more. */
    phoneCode(name: string | undefined): { code: string; expiresAt: number } {
      for (const [digest, { phone }] of codes) if (phone) codes.delete(digest);
      const code = newCode();
      codes.set(digestOf(code), { until: performance.now() + PHONE_CODE_MS, phone: { name } });
      return { code, expiresAt: now() + PHONE_CODE_MS };
    },
    isExpectingPhone(): boolean {
      forgetCodes();
      return arriving > 0 || [...codes.values()].some(({ phone }) => phone);
    },
    /** Contract: what it is for, once for each code. Whoever gets it calls `start` next. */
    takes(code: string): Taken | undefined {
      // A phone begins what is typed with a capital.
      const digest = [code.trim(), code.trim().toLowerCase()].map(digestOf).find((each) => codes.has(each)) ?? "";
      const taken = codes.get(digest);
      codes.delete(digest);
      if (taken === undefined || taken.until <= performance.now()) return undefined;
      if (taken.phone) arriving++;
      return taken;
    },
    /** The secret of a new cookie, the key that goes with it, and what stands in the address of a preview instead. */
    async start(called: string, { phone }: Taken = {}): Promise<{ secret: string; key: string; previews: string }> {
      const [secret, key] = [randomBytes(32).toString("base64url"), randomBytes(32).toString("base64url")];
      const [at, previews] = [now(), digestOf(key)];
      const id = randomBytes(6).toString("hex");
      const name = phone ? unlike(phone.name ?? called) : called;
      const seen = { createdAt: at, seenAt: at, ...(phone && { phone: true }) };
      const browser = { id, name, ...seen, digest: digestOf(secret), key: previews };
      await keep([...kept.filter(fresh), browser]).finally(() => phone && arriving--);
      return { secret, key, previews };
    },
    /** The browser with this cookie and key, if it may still come in. */
    find(secret: string, proof: Proof): Browser | undefined {
      const digest = digestOf(secret);
      const key = "key" in proof ? digestOf(proof.key) : proof.previews;
      const found = kept.find((browser) => same(browser.digest, digest) && same(browser.key, key) && fresh(browser));
      if (found && now() - found.seenAt > NOTED_MS)
        // Only a note of when it was here: on a full disk there is none.
        void keep(kept.map((browser) => (browser === found ? { ...browser, seenAt: now() } : browser))).catch(
          () => undefined,
        );
      return found && shown(found);
    },
    list: (): Browser[] => kept.filter(fresh).map(shown),
    async end(id: string): Promise<void> {
      await keep(kept.filter((browser) => browser.id !== id));
    },
    /** Aborts when this browser is signed out: what it has open ends with it. */
    ending({ id }: Browser): AbortSignal {
      const ending = endings.get(id) ?? new AbortController();
      endings.set(id, ending);
      return ending.signal;
    },
  };
}

function read(file: string): Kept[] {
  try {
    const found: unknown = JSON.parse(readFileSync(file, "utf8"));
    // Without a key it signed in with an older Parley, whose cookie was enough.
    return Array.isArray(found) ? (found as Kept[]).filter(({ key }) => typeof key === "string") : [];
  } catch {
    return [];
  }
}

const shown = ({ id, name, createdAt, seenAt, phone }: Kept): Browser => ({
  id,
  name,
  createdAt,
  seenAt,
  ...(phone && { phone }),
});
const digestOf = (secret: string) => createHash("sha256").update(secret).digest("hex");
