import type { Install } from "../capability/install.ts";
import { hostPlugins } from "./host-plugins.ts";
import { planInstall, settingsPath } from "./install.ts";

export const install: Install = { settingsPath, plan: planInstall, isLive: true, canMustAsk: true, hostPlugins };
