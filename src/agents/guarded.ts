import type { Agent } from "./agent.ts";
import type { AgentRemote } from "./capability/remote.ts";

/**
 * The agent, and nothing that it sends is a reason to throw. Its own readers pass over what they do not know; but zod (4.6)
 * throws where a text is wanted and an object comes whose `length` cannot be compared.
 */
export function guarded(agent: Agent): Agent {
  const { hooks, remote, service } = agent;
  return {
    ...agent,
    ...(hooks && {
      hooks: {
        ...hooks,
        read: unless(hooks.read, undefined),
        ...(hooks.ran && { ran: unless(hooks.ran, undefined) }),
        ...(hooks.telling && { telling: unless(hooks.telling, undefined) }),
      },
    }),
    ...(remote && { remote: heard(remote) }),
    ...(service && { service: { ...service, remote: heard(service.remote) } }),
  };
}

const heard = (remote: AgentRemote): AgentRemote => ({
  ...remote,
  read: unless(remote.read, []),
  pending: remote.pending.map(({ request, read }) => ({ request, read: unless(read, []) })),
});

function unless<A extends unknown[], R>(read: (...given: A) => R, nothing: R): (...given: A) => R {
  return (...given) => {
    try {
      return read(...given);
    } catch {
      return nothing;
    }
  };
}
