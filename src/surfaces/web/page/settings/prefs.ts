/** What this browser was told to do; it stays here. */
export type Prefs = { theme: "system" | "light" | "dark"; notify: boolean; sound: boolean };

const KEY = "parley.prefs";
const DEFAULTS: Prefs = { theme: "system", notify: false, sound: false };
const listeners = new Set<() => void>();
let prefs = read();
apply();

export const getPrefs = (): Prefs => prefs;

export function setPrefs(part: Partial<Prefs>): void {
  prefs = { ...prefs, ...part };
  try {
    localStorage.setItem(KEY, JSON.stringify(prefs));
  } catch {
    // Storage is off in this browser: they hold until the tab is closed.
  }
  apply();
  for (const tell of listeners) tell();
}

export function onPrefs(tell: () => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}

function read(): Prefs {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Prefs>) };
  } catch {
    return DEFAULTS;
  }
}

function apply(): void {
  document.documentElement.dataset["theme"] = prefs.theme;
}
