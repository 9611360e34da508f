/** As codex's own dialog writes a note beside an option, and words of one's own beside its last one. */
export const NOTE_MARK = "user_note: ";
export const NONE_OF_THEM = "None of the above";
