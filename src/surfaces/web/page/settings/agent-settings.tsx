import { useEffect, useState } from "preact/hooks";
import type { AgentView } from "../../../../protocol/page.ts";
import { call } from "../api.ts";
import { Verbatim } from "../form/question-text.tsx";

/** Which agents ask through Parley, and the change that makes one do so. */
export function AgentSettings() {
  const [agents, setAgents] = useState<readonly AgentView[]>([]);
  const [said, setSaid] = useState<string>();
  const read = () =>
    call("listAgents").then(
      ({ agents: found }) => setAgents(found),
      (error: unknown) => setSaid(String(error)),
    );
  useEffect(() => void read(), []);

  async function apply({ name, title, change = "" }: AgentView): Promise<void> {
    try {
      const { detail } = await call("setupAgent", { body: { agent: name, change } });
      setSaid(`${title}: ${detail}`);
    } catch (error) {
      setSaid(error instanceof Error ? error.message : String(error));
    }
    await read();
  }

  return (
    <section aria-labelledby="agents">
      <h2 id="agents">Agents</h2>
      <ul class="things">
        {agents.map((agent) => (
          <li>
            <div class="thing">
              <strong>{agent.title}</strong>
              <span class="tag" data-on={agent.setUp}>
                {stateOf(agent)}
              </span>
              <code>{agent.path}</code>
            </div>
            {agent.problem !== undefined && <p class="error">{agent.problem}</p>}
            {agent.change !== undefined && (
              <details>
                <summary>Show the change</summary>
                <Verbatim text={agent.change} />
                <button class="button primary" type="button" onClick={() => void apply(agent)}>
                  Apply this change
                </button>
                <p>A backup is kept beside the file.</p>
              </details>
            )}
          </li>
        ))}
      </ul>
      {said !== undefined && <p role="status">{said}</p>}
    </section>
  );
}

function stateOf({ found, setUp, problem }: AgentView): string {
  if (problem !== undefined) return "its settings cannot be read";
  if (setUp) return "asks through Parley";
  return found ? "found, not set up" : "not found on this machine";
}
