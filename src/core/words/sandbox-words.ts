import type { Sandbox } from "../task/sandbox.ts";
import { safeLine } from "../text/text.ts";

// Free of the schema library: the page says it too.

const NETWORK: Record<string, string> = {
  none: "no network",
  agent: "network: what its agent needs",
  host: "this machine's network",
};

/** `bubblewrap · no network`. */
export function sandboxWords({ command, network }: Sandbox): string {
  const by = command ? safeLine(command[0] ?? "", { max: 40 }) : "bubblewrap";
  const reached =
    typeof network === "string" ? NETWORK[network] : `network: ${safeLine(network.join(", "), { max: 80 })}`;
  return `${by} · ${reached}`;
}

/** The name of an agent, wherever it is said who asks or who received an answer. */
export function withPlace(
  title: string,
  { sandbox, container }: { sandbox?: unknown; container?: string | undefined },
): string {
  if (container !== undefined) return `${title} (in container ${safeLine(container, { max: 40 })})`;
  return sandbox ? `${title} (in a sandbox)` : title;
}
