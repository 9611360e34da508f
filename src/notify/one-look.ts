import type { Pane } from "../core/ask/ask.ts";
import type { Notify } from "../core/config/config.ts";
import type { ConfigFiles } from "../machine/settings/config-file.ts";
import type { Messenger } from "./messenger.ts";

export type OneLook = ReturnType<typeof createOneLook>;

/** What one look of the notifier finds out once, however many Asks it looks at. */
export function createOneLook(config: ConfigFiles, channels: readonly Messenger[]) {
  const known = new Map<string | undefined, Notify>();
  const open = new Map<Notify, Map<boolean, readonly Messenger[]>>();
  return {
    /** Undefined: they are not read yet. */
    known: (cwd: string | undefined): Notify | undefined => known.get(cwd),
    async settingsIn(cwd: string | undefined): Promise<Notify> {
      const found = known.get(cwd) ?? (await config.current(cwd)).values.notify;
      known.set(cwd, found);
      return found;
    },
    /** Which messengers can be used: by the settings, and by whether there is a terminal to ring in. */
    openFor(notify: Notify, pane: Pane | boolean | undefined): readonly Messenger[] {
      const own = open.get(notify) ?? new Map<boolean, readonly Messenger[]>();
      open.set(notify, own);
      const note = pane ? { pane: pane === true ? SOME_PANE : pane } : {};
      const found = own.get(Boolean(pane)) ?? channels.filter((each) => each.off(notify, note) === undefined);
      own.set(Boolean(pane), found);
      return found;
    },
  };
}

const SOME_PANE: Pane = { server: "", id: "" };
