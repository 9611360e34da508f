/** What an option says beside its label: `parley ask -o Yes`, and some agents, say the label twice. */
export const aboutOption = ({ label, description }: { label: string; description: string }): string =>
  description.trim() === label.trim() ? "" : description;
