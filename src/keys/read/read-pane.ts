import type { Layout } from "../../agents/capability/screen-layout.ts";
import type { Question } from "../../core/ask/question.ts";
import type { Capture, KeysPane } from "../pane.ts";
import type { Screen } from "../screen.ts";
import { readScreen } from "./read-screen.ts";

export type Reading = { screen: Screen; capture: Capture; layout?: Layout | undefined };

/** The layout of the version, or all of them where the version is not known. */
export function layoutsFor(layouts: readonly Layout[], version: string | undefined): readonly Layout[] {
  const exact = layouts.filter((layout) => layout.version === version);
  return exact.length > 0 ? exact : layouts;
}

const NONE: Screen = { type: "unknown", why: "No agent's dialogs are known", remains: false };

/** What the first layout that knows this screen makes of it. */
export async function readPane(
  pane: KeysPane,
  layouts: readonly Layout[],
  { version, questions }: { version?: string; questions?: readonly Question[] } = {},
): Promise<Reading> {
  const capture = await pane.capture();
  const readings = layoutsFor(layouts, version).map((layout) => ({
    screen: readScreen(capture.text, layout, questions),
    capture,
    layout,
  }));
  const known = readings.find(({ screen }) => screen.type !== "unknown");
  if (known) return known;
  const [{ screen } = { screen: NONE }] = readings;
  return { screen, capture };
}
