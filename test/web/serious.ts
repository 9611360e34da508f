import axe from "axe-core";
import type { Page } from "playwright-core";

type Found = { id: string; impact: string | null; nodes: { html: string; failureSummary?: string }[] };

/** What axe finds that keeps somebody from using the page, contrast included. */
export async function serious(page: Page): Promise<string[]> {
  // Not through a script element: the page's policy would refuse it.
  if ((await page.evaluate("typeof axe")) === "undefined") await page.evaluate(axe.source);
  // What is fine is not gathered: that takes longer than to find what is not.
  const found = await page.evaluate('axe.run({ resultTypes: ["violations"] })');
  const { violations } = found as { violations: Found[] };
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}
