import { useEffect } from "preact/hooks";
import { randomKey } from "../api.ts";
import { hub } from "./hub-api.ts";

const TAB = randomKey();
/** Who only passes by does not look at it. */
const STAYS_MS = 500;
const AGAIN_MS = 10_000;

/** Tells the others what this tab shows, for as long as somebody can see it. */
export function useLooking(ask: string | undefined): void {
  useEffect(() => {
    if (ask === undefined) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isTold = false;
    const tell = () => {
      isTold = true;
      void hub.looking(TAB, ask).catch(() => undefined);
      timer = setTimeout(tell, AGAIN_MS);
    };
    const end = () => {
      clearTimeout(timer);
      if (isTold) void hub.looking(TAB, null, true).catch(() => undefined);
      isTold = false;
    };
    const look = () => {
      if (document.visibilityState === "hidden") return end();
      clearTimeout(timer);
      timer = setTimeout(tell, STAYS_MS);
    };
    look();
    document.addEventListener("visibilitychange", look);
    addEventListener("pagehide", end);
    return () => {
      end();
      document.removeEventListener("visibilitychange", look);
      removeEventListener("pagehide", end);
    };
  }, [ask]);
}
