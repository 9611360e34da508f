import { render } from "preact";
import { createForms, NOWHERE } from "../form/forms.ts";
import { startNotifying, tellAbout } from "../settings/notify.ts";
import { HubApp } from "./hub-app.tsx";
import { createHubModel } from "./hub-model.ts";

/** The page with a hub behind it. */
export async function startHubPage(root: HTMLElement | null): Promise<void> {
  const invite = takeInvite();
  const model = createHubModel({ arrived: tellAbout });
  if (root) render(<HubApp model={model} forms={createForms(NOWHERE)} invite={invite} />, root);
  startNotifying();
  await model.start();
  void import("../settings/push.ts").then(({ renewPush }) => renewPush()).catch(() => undefined);
}

/** The one-time code of an invitation to a hub, taken out of the address at once. */
function takeInvite(): string | undefined {
  const [, code] = /^#invite=([\w-]+)$/.exec(location.hash) ?? [];
  if (code !== undefined) history.replaceState(null, "", "/");
  return code;
}
