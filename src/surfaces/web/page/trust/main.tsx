import { render } from "preact";
import { TrustView } from "./trust-view.tsx";
// For the theme.
import "../settings/prefs.ts";

document.head.append(Object.assign(document.createElement("link"), { rel: "icon", href: "/icon.svg" }));
const root = document.getElementById("app");
if (root) render(<TrustView />, root);
