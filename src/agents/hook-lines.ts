/** One command at one event of an agent's settings file, as `"hooks": { event: [{ matcher, hooks: [handler] }] }`. */
export type Hook = { event: string; matcher: string | undefined; handler: unknown };
/** Sets `$p` in a shell to where Parley always puts its program: the same words on every machine. */
export const FIND_PROGRAM = 'p="${PARLEY_HOME:-${XDG_STATE_HOME:-$HOME/.local/state}/parley}/bin/parley"; ';

/** A settings file that holds these and nothing else. */
export function settingsOf(all: readonly Hook[]): object {
  const hooks: Record<string, unknown[]> = {};
  for (const { event, matcher, handler } of all)
    (hooks[event] ??= []).push({ ...(matcher !== undefined && { matcher }), hooks: [handler] });
  return { hooks };
}
