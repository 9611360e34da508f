/** What this page got beside its cookie when it signed in. A browser sends the cookie to other ports too, this to none. */
export type PageKey = { key: string; previews: string };

const KEY = "parley.page";
let held: PageKey | undefined;

/** Read anew each time: another tab may have signed in or out. */
export function pageKey(): PageKey | undefined {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "null") as PageKey | null;
    return found ?? held;
  } catch {
    return held;
  }
}

export function keepPageKey(key: PageKey | undefined): void {
  held = key;
  try {
    if (key) localStorage.setItem(KEY, JSON.stringify(key));
    else localStorage.removeItem(KEY);
  } catch {
    // Storage is off in this browser: it holds until the tab is closed.
  }
}
