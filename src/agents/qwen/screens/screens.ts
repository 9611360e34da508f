import type { Layout } from "../../capability/screen-layout.ts";
import { layout as v0_24_4 } from "./0.24.4/layout.ts";

/** Newest first. A new version: a folder with its layout and recorded screens, and a line here. */
export const screens: readonly Layout[] = [v0_24_4];
