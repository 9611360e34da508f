import type { ListLayout } from "../../list-layout.ts";
import { layout as v1_0_102 } from "./1.0.102/layout.ts";

/** Newest first. A new version: a folder with its layout and recorded screens, and a line here. */
export const screens: readonly ListLayout[] = [v1_0_102];
