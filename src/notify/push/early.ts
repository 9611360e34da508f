import type { Early } from "../send/late-messenger.ts";
import type { Devices } from "./devices.ts";

/** What is known of it before it is read. */
export const pushEarly = (devices: Pick<Devices, "list">): Early => ({
  name: "push",
  links: false,
  tireless: true,
  off({ push }) {
    if (!push.enabled) return "off; notify.push.enabled is false";
    return devices.list().length > 0 ? undefined : "off; no phone takes pushes: parley phone";
  },
  // It listens to nobody: the page hands over what is pressed.
  isWanted: () => false,
});
