import { decodeKittyPrintable, isKeyRelease, isKeyRepeat, parseKey } from "@earendil-works/pi-tui";

/** `name` is the key as pi-tui names it, or the character itself; `text` is what it would type. */
export type Press = { type: "key"; name: string; text: string; repeat: boolean } | { type: "paste"; text: string };

/** Contract: give it every piece of input in order; pieces are whole sequences or single UTF-16 units. */
export function createKeyReader(): (data: string) => Press[] {
  let half = "";
  return (data) => {
    const whole = half + data;
    half = "";
    if (/^[\ud800-\udbff]$/.test(whole)) {
      half = whole;
      return [];
    }
    return readPresses(whole);
  };
}

function readPresses(data: string): Press[] {
  const pasted = /^\x1b\[200~([^]*?)(?:\x1b\[201~)?$/.exec(data)?.[1];
  if (pasted !== undefined) return [{ type: "paste", text: pasted }];
  if (isKeyRelease(data)) return [];
  // Escape pressed twice within one read; otherwise it would pass for Alt+Escape.
  if (data === "\x1b\x1b") return [key("escape"), key("escape")];
  if (data === "\n") return [key("ctrl+j")];
  const text = decodeKittyPrintable(data) ?? shifted(data) ?? (/^[\x00-\x1f\x7f-\x9f]/.test(data) ? "" : data);
  // On a keyboard of another script the key is still known by the Latin letter at its place.
  const name = /^[!-~]$/.test(text) ? text : (parseKey(data) ?? text);
  return [{ type: "key", name, text, repeat: isKeyRepeat(data) }];
}

/** A capital letter as xterm sends it with modifyOtherKeys; the library decodes it but does not export that. */
function shifted(data: string): string | undefined {
  const code = Number(/^\x1b\[27;[12];(\d+)~$/.exec(data)?.[1]);
  return code >= 32 && code <= 0x10ffff && code !== 127 ? String.fromCodePoint(code) : undefined;
}

function key(name: string): Press {
  return { type: "key", name, text: "", repeat: false };
}
