/** Something of Parley's on this machine, outside of the package itself. */
export type Thing = {
  kind: "hooks" | "plugin" | "backup" | "service" | "link" | "launcher" | "socket" | "state" | "settings" | "worktree";
  path: string;
  /** What becomes of it, or what it is. */
  about?: string;
  /** Why it stays, whatever is wished. */
  kept?: string;
  /** Contract: what is gone already is no failure. */
  remove(): Promise<void>;
};

export const stays = (kind: Thing["kind"], path: string, kept: string): Thing => ({
  kind,
  path,
  kept,
  remove: async () => {},
});
