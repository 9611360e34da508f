/** A key meant for the page: no modifier, and not typed into a field. */
export function isPlainKey(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return false;
  return !isTyping(event.target);
}

export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const isText = target instanceof HTMLInputElement && !["radio", "checkbox", "button"].includes(target.type);
  return isText || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

/** Enter and Space on these mean what the browser says they mean; the row of the open question leads nowhere new. */
export function isPressable(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("button, a:not([aria-current]), summary, select") !== null;
}
