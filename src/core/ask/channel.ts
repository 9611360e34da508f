/** What is true of a way back, whatever agent is at its end. */
type Facts = {
  /** A person's answer can reach the agent this way. */
  answerable: boolean;
  /** What has happened when an outcome was sent this way, as its history says it. */
  sent: string;
};

/** The ways an outcome goes back to its agent. */
export const CHANNELS = {
  /** A hook held open while the agent's own dialog is on the screen. */
  race: { answerable: true, sent: "taken by the agent's hook" },
  /** A hook held open before any dialog. */
  hold: { answerable: true, sent: "taken by the agent's hook" },
  /** A connection to the running agent, which takes answers beside its dialog. */
  remote: { answerable: true, sent: "taken by the agent" },
  /** Typed into the dialog in its tmux pane. */
  keys: { answerable: true, sent: "typed into the agent's dialog" },
  /** Told to a session that came back. */
  resume: { answerable: true, sent: "told to the resumed session" },
  /** The asker takes it itself. */
  fetch: { answerable: true, sent: "taken by the asker" },
  /** Only the agent's own terminal can answer it. */
  none: { answerable: false, sent: "" },
  /** Parley itself acts on it. */
  self: { answerable: true, sent: "Parley acted on it" },
} as const satisfies Record<string, Facts>;
export type ChannelName = keyof typeof CHANNELS;

export const factsOf = (name: string | undefined): Facts | undefined =>
  name !== undefined && Object.hasOwn(CHANNELS, name) ? CHANNELS[name as ChannelName] : undefined;

type Typing = {
  channel?: string | undefined;
  state: string;
  typedAt?: number | undefined;
  released?: string | undefined;
};
/** Its dialog stands in a pane, and an answer will be typed there. */
export const isForKeys = (ask: { origin: { pane?: unknown }; deliveries: readonly Typing[] }): boolean =>
  ask.origin.pane !== undefined &&
  ask.deliveries.some(
    ({ channel, state, typedAt, released }) =>
      channel === "keys" && state === "waiting" && typedAt === undefined && released === undefined,
  );
/** Its hook let go, so that the agent's own dialog can open; nobody else can answer it from then on. */
export const OWN_DIALOG = "own-dialog";

type Way = { channel?: string | undefined; released?: string | undefined };

/** Nobody but the agent's own terminal can answer. */
export const isForTerminal = ({ deliveries }: { deliveries: readonly Way[] }): boolean =>
  deliveries.every(({ channel, released }) => released === OWN_DIALOG || factsOf(channel)?.answerable === false);

/** All that is known of it is that the agent wants somebody; its record will not say when it had them. */
export const isNotice = ({ kind, deliveries }: { kind: string; deliveries: readonly Way[] }): boolean =>
  kind !== "question" &&
  kind !== "approval" &&
  deliveries.every(({ channel }) => factsOf(channel)?.answerable === false);
