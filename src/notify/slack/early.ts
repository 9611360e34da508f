import type { Notify } from "../../core/config/config.ts";
import type { Early } from "../send/late-messenger.ts";
import type { Pairs } from "../chat/pairs.ts";

const NAME = "slack";

export const isSet = ({ slack }: Notify): boolean =>
  slack.channel !== "" &&
  (slack.bot_token_file !== "" || slack.bot_token_env !== "") &&
  (slack.app_token_file !== "" || slack.app_token_env !== "");

/** What is to be set before somebody can be paired. */
export const missing = (config: Notify): string | undefined =>
  isSet(config)
    ? undefined
    : "No app is set up: set notify.slack.channel, notify.slack.bot_token_file and notify.slack.app_token_file";

/** What is known of it before it is read. */
export const slackEarly = (pairs: Pick<Pairs, "of" | "isExpecting">): Early => ({
  name: NAME,
  links: false,
  tireless: true,
  off(config) {
    if (!isSet(config)) return "off; set notify.slack.channel, bot_token_file and app_token_file";
    return pairs.of(NAME).length > 0 ? undefined : "off; nobody is paired: parley notify pair slack";
  },
  isWanted: (config) => isSet(config) && (pairs.of(NAME).length > 0 || pairs.isExpecting(NAME)),
});
