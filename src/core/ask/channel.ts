/**
 * The ways an outcome goes back to its agent.
 * race: a hook held open while the agent's own dialog is on the screen · hold: a hook held open before any dialog ·
 * keys: typed into the dialog in its tmux pane ·
 * resume: told to a session that came back · fetch: the asker takes it itself · none: only the agent's own terminal ·
 * self: Parley itself acts on it.
 */
export const CHANNELS = ["race", "hold", "keys", "resume", "fetch", "none", "self"] as const;
export type Channel = (typeof CHANNELS)[number];
