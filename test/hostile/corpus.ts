import { expect } from "bun:test";

const ESC = "\u001b";

/** What a model, a file name or a stranger may write. */
export const HOSTILE: Record<string, string> = {
  colour: `${ESC}[31mred${ESC}[0m ${ESC}[38;5;1mmore`,
  screen: `${ESC}[2J${ESC}[H${ESC}[?1049h${ESC}c`,
  title: `${ESC}]0;PWNED\u0007`,
  link: `${ESC}]8;;http://PWNED.example${ESC}\\click${ESC}]8;;${ESC}\\`,
  clipboard: `${ESC}]52;c;UFdORUQ=\u0007`,
  device: `${ESC}Pq#0PWNED${ESC}\\${ESC}_PWNED${ESC}\\${ESC}^PWNED${ESC}\\`,
  unended: `${ESC}]0;PWNED`,
  c1: "\u009b31m\u009d0;PWNED\u009c\u0090PWNED\u009c\u0085\u0080",
  controls: "a\u0000b\u0007c\bd\u007fe\vf\fg\rh",
  bidi: "abc\u202edcba\u202c \u2066x\u2069 \u200fy\u200e \u061cz",
  hidden: "z\u200be\u2060r\ufeffo\u00ad\u{e0041}\u{e0042}",
  lines: "one\u2028two\u2029three\r\nfour\rfive\u0085six",
  halves: "\ud800 low \udc00",
  html: `<script>alert(1)</script><img src=x onerror=alert(1)>"'&amp;`,
  shell: "$(touch /tmp/pwned) `id` ; rm -rf / | & > < ' \" \\ -rf --help",
  marks: `e${"\u0301".repeat(500)}`,
  names: "__proto__ constructor toString ../../etc/passwd %00 %s %n {{x}} ${x}",
};
export const TEXTS = Object.values(HOSTILE);
export const ALL = TEXTS.join(" ");
/** As it can stand on a command line or in an environment. */
export const ALL_ARGUMENT = ALL.replaceAll("\0", "").toWellFormed();

/** C0 but newline and tab, DEL, C1; the marks that turn text round; line separators; lone surrogates. */
const RAW = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\p{Cs}/u;

/** Contract: nothing in the text acts on a terminal. */
export function expectSafe(text: string, where: string): void {
  const raw = RAW.exec(text);
  const around = raw && JSON.stringify(text.slice(Math.max(0, raw.index - 40), raw.index + 40));
  expect([where, around]).toEqual([where, null]);
}

/** A lone surrogate becomes U+FFFD on its way through bytes: decoded fatally, so that broken UTF-8 shows. */
export function utf8(bytes: ArrayBuffer | Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}
