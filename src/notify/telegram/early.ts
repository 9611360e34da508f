import type { Notify } from "../../core/config/config.ts";
import type { Early } from "../send/late-messenger.ts";
import type { Pairs } from "../chat/pairs.ts";

const NAME = "telegram";

export const isSet = ({ telegram }: Notify): boolean => telegram.token_file !== "" || telegram.token_env !== "";

/** What is to be set before somebody can be paired. */
export const missing = (config: Notify): string | undefined =>
  isSet(config) ? undefined : "No bot is set up: set notify.telegram.token_file to the file with its token";

/** What is known of it before it is read. */
export const telegramEarly = (pairs: Pick<Pairs, "of" | "isExpecting">): Early => ({
  name: NAME,
  links: false,
  tireless: true,
  nameless: true,
  off(config) {
    if (!isSet(config)) return "off; set notify.telegram.token_file to the file with your bot's token";
    return pairs.of(NAME).length > 0 ? undefined : "off; nobody is paired: parley notify pair telegram";
  },
  isWanted: (config) => isSet(config) && (pairs.of(NAME).length > 0 || pairs.isExpecting(NAME)),
});
