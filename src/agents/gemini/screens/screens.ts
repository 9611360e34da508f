import type { Layout } from "../../capability/screen-layout.ts";
import { layout as v0_61_0 } from "./0.61.0/layout.ts";

/** Newest first. A new version: a folder with its layout and recorded screens, and a line here. */
export const screens: readonly Layout[] = [v0_61_0];
