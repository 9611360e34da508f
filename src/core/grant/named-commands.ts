/** `isShell`: it stands in a block that says it is a shell's, so it is a command whatever its first word is. */
export type NamedCommand = { text: string; isShell: boolean };

const MOST = 60;
const SHELLS = new Set(["sh", "bash", "zsh", "shell", "console", "shell-session", "terminal"]);
/** Also in a list or a quote. */
const FENCE = /^(?:\s|>|[-*+]\s|\d{1,3}[.)]\s)*(`{3,}|~{3,})\s*([\w-]*)/;
/** A prompt as people write it before a command. */
const PROMPT = /^\s*(?:\$|%|❯)\s+/;

/**
 * What a text in Markdown names as commands: what stands in code, each as it is written there. Whether it is one that can be granted
 * is decided elsewhere.
 */
export function namedCommands(text: string): NamedCommand[] {
  const found = new Map<string, NamedCommand>();
  const add = (raw: string, isShell: boolean) => {
    const command = raw.replace(PROMPT, "").trim();
    if (command === "" || command.startsWith("#") || found.size >= MOST) return;
    const before = found.get(command);
    found.set(command, { text: command, isShell: isShell || (before?.isShell ?? false) });
  };
  let fence: { mark: string; isShell: boolean; isOutput: boolean } | undefined;
  for (const line of text.split("\n")) {
    const [, mark = "", info = ""] = FENCE.exec(line) ?? [];
    if (fence) {
      if (mark.startsWith(fence.mark) && info === "") fence = undefined;
      else if (fence.isShell) {
        // Where one line has a prompt, those without are what it prints.
        const hasPrompt = PROMPT.test(line);
        if (hasPrompt) fence.isOutput = true;
        if (hasPrompt || !fence.isOutput) add(line, true);
      }
      continue;
    }
    if (mark !== "") fence = { mark, isShell: SHELLS.has(info.toLowerCase()), isOutput: false };
    else for (const [, , code = ""] of line.matchAll(/(`+)([^`]+)\1(?!`)/g)) add(code, false);
  }
  return [...found.values()];
}
