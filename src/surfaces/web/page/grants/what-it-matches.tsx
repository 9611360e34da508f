import type { GrantView } from "../../../../protocol/grant.ts";

/** All that a person has to know before it counts, to the letter. */
export function WhatItMatches({ grants }: { grants: readonly Pick<GrantView, "lines">[] }) {
  const [first] = grants;
  return (
    <dl class="matches" aria-label="What it will match">
      {(first?.lines ?? []).map(([name, text], i) => (
        <div>
          <dt>{name}</dt>
          <dd>{i === 0 ? grants.map(({ lines }) => <code>{lines[0]?.[1] ?? ""}</code>) : text}</dd>
        </div>
      ))}
    </dl>
  );
}

/** `30m`: 30 minutes. */
export function endName(end: string): string {
  if (end === "task") return "this task";
  if (end === "plan") return "this plan";
  const count = end.slice(0, -1);
  return end.endsWith("x") ? `${count} calls` : end.endsWith("h") ? `${count} hours` : `${count} minutes`;
}
