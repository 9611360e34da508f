import { render } from "preact";
import { enter } from "./api.ts";
import { App } from "./app.tsx";
import { createForms } from "./form/forms.ts";
import { createModel } from "./model.ts";
import { startNotifying, tellAbout } from "./settings/notify.ts";
import { takeCode } from "./route.ts";
import { HUB_MARK } from "../../../protocol/hub/hub-mark.ts";
import { createTaskModel } from "./board/task-model.ts";

const head = { manifest: "/manifest.webmanifest", icon: "/icon.svg", "apple-touch-icon": "/icon-192.png" };
for (const [rel, href] of Object.entries(head))
  document.head.append(Object.assign(document.createElement("link"), { rel, href }));

const root = document.getElementById("app");
if (document.documentElement.getAttribute(HUB_MARK.attribute) === HUB_MARK.value) {
  const { startHubPage } = await import("./hub/hub-main.tsx");
  await startHubPage(root);
} else await startPage();

async function startPage(): Promise<void> {
  const tasks = createTaskModel();
  const model = createModel({ arrived: tellAbout, task: tasks.heard });
  const forms = createForms();
  addEventListener("pagehide", forms.saveAll);
  document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && forms.saveAll());

  const code = takeCode();
  const refused = code === undefined ? undefined : await enter({ code }).then(() => undefined, String);
  if (root) render(<App model={model} tasks={tasks} forms={forms} refused={refused} />, root);
  startNotifying();
  await model.start();
  void import("./settings/push.ts").then(({ renewPush }) => renewPush()).catch(() => undefined);
}
