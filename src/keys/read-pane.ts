import type { AnyLayout } from "../agents/screen-layout.ts";
import type { Capture, KeysPane } from "./pane.ts";
import type { Screen } from "./screen.ts";
import { readScreen } from "./read-screen.ts";

export type Reading = { screen: Screen; capture: Capture; layout?: AnyLayout | undefined };

/** The layout of the version, or all of them where the version is not known. */
export function layoutsFor(layouts: readonly AnyLayout[], version: string | undefined): readonly AnyLayout[] {
  const exact = layouts.filter((layout) => layout.version === version);
  return exact.length > 0 ? exact : layouts;
}

const NONE: Screen = { type: "unknown", why: "No agent's dialogs are known", remains: false };

/** What the first layout that knows this screen makes of it. */
export async function readPane(pane: KeysPane, layouts: readonly AnyLayout[], version?: string): Promise<Reading> {
  const capture = await pane.capture();
  const readings = layoutsFor(layouts, version).map((layout) => ({
    screen: readScreen(capture.text, layout),
    capture,
    layout,
  }));
  const known = readings.find(({ screen }) => screen.type !== "unknown");
  if (known) return known;
  const [{ screen } = { screen: NONE }] = readings;
  return { screen, capture };
}
