/** As a shell reads it: one word, whatever is in it. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The same, for people to read: without quotes where a shell needs none. */
export const shellWord = (text: string): string => (/^[\w@%+=:,./~-]+$/.test(text) ? text : shellQuote(text));
