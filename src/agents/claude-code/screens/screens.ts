import type { Layout } from "../../capability/screen-layout.ts";
import { layout as v2_1_197 } from "./2.1.197/layout.ts";
import { layout as v2_1_325 } from "./2.1.325/layout.ts";

/** Newest first. A new version: a folder with its layout and recorded screens, and a line here. */
export const screens: readonly Layout[] = [v2_1_325, v2_1_197];
