/**
 * A text without what a terminal adds or loses when it wraps and draws it: spaces, line ends, control and format
 * characters, escape sequences, variation selectors.
 */
export function squeeze(text: string): string {
  return text
    .normalize("NFC")
    .replace(/\x1b(?:\[[0-?]*[ -/]*[@-~]|[ -/]*[0-~])/g, "")
    .replace(/[\s\p{Cc}\p{Cf}\ufe00-\ufe0f]/gu, "");
}
