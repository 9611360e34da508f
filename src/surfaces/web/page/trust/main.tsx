import { render } from "preact";
import { getPrefs } from "../settings/prefs.ts";
import { TrustView } from "./trust-view.tsx";

document.documentElement.dataset["theme"] = getPrefs().theme;
document.head.append(Object.assign(document.createElement("link"), { rel: "icon", href: "/icon.svg" }));
const root = document.getElementById("app");
if (root) render(<TrustView />, root);
