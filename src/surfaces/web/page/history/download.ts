/** Gives the person a file that was made here. */
export function download(name: string, type: string, text: string): void {
  const href = URL.createObjectURL(new Blob([text], { type }));
  Object.assign(document.createElement("a"), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}
