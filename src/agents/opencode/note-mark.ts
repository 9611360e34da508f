/** opencode has no room for a note: it goes as one more answer behind the others, and is known again by this. */
export const NOTE_MARK = "[note] ";
