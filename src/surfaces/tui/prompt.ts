import { Input, visibleWidth } from "@earendil-works/pi-tui";
import type { Theme } from "../../dialog/theme.ts";

export type Prompt = { render(columns: number): string; handleInput(data: string): void };
type Options = {
  label: string;
  value?: string;
  hint: string;
  changed?: (text: string) => unknown;
  done: (text: string) => void;
  cancel: () => unknown;
};

/** One line to type in, where the keys stood. */
export function createPrompt(theme: Theme, { label, value = "", hint, changed, done, cancel }: Options): Prompt {
  const input = new Input({ prompt: ` ${theme.accent(label)} ` });
  input.focused = true;
  input.onSubmit = done;
  input.onEscape = () => void cancel();
  // Typed, not set: so the cursor stands behind it.
  if (value !== "") input.handleInput(value);
  return {
    render(columns) {
      const room = columns - visibleWidth(hint) - 2;
      if (room < visibleWidth(label) + 24) return input.render(columns)[0] ?? "";
      return `${input.render(room)[0] ?? ""} ${theme.muted(hint)} `;
    },
    handleInput(data) {
      const before = input.getValue();
      input.handleInput(data);
      if (input.getValue() !== before) changed?.(input.getValue());
    },
  };
}
