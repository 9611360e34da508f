import { render } from "preact";
import { createForms, NOWHERE } from "../form/forms.ts";
import { startNotifying, tellAbout } from "../settings/notify.ts";
import { HubApp } from "./hub-app.tsx";
import { createHubModel } from "./hub-model.ts";

/** The page with a hub behind it. `invite`: the code of a link that somebody came with. */
export async function startHubPage(root: HTMLElement | null, invite: string | undefined): Promise<void> {
  const model = createHubModel({ arrived: tellAbout });
  if (root) render(<HubApp model={model} forms={createForms(NOWHERE)} invite={invite} />, root);
  startNotifying();
  await model.start();
}
