import { useState } from "preact/hooks";
import { leave } from "../api.ts";
import { AgentSettings } from "./agent-settings.tsx";
import { BrowserSettings } from "./browser-settings.tsx";
import type { Model } from "../model.ts";
import { sendTest } from "./notify.ts";
import { getPrefs, onPrefs, type Prefs, setPrefs } from "./prefs.ts";
import { PushSettings } from "./push-settings.tsx";
import { beep } from "./sound.ts";
import { useChanging } from "./subscribe.ts";

const THEMES: [Prefs["theme"], string][] = [
  ["system", "System"],
  ["light", "Light"],
  ["dark", "Dark"],
];

const PHONE_WIDTH = 700;

export function Settings({ model }: { model: Model }) {
  // There it is what a person who has just paired it comes for.
  const isPhone = innerWidth < PHONE_WIDTH;
  const prefs = useChanging(getPrefs, onPrefs);
  return (
    <div class="page settings">
      <h1>Settings</h1>
      {isPhone && <PushSettings />}
      <AgentSettings />
      <section aria-labelledby="notify">
        <h2 id="notify">Notifications</h2>
        <NotifySettings prefs={prefs} />
      </section>
      {!isPhone && <PushSettings />}
      <section aria-labelledby="look">
        <h2 id="look">Theme</h2>
        <div class="segments" role="radiogroup" aria-label="Theme">
          {THEMES.map(([theme, name]) => (
            <label>
              <input type="radio" name="theme" checked={prefs.theme === theme} onChange={() => setPrefs({ theme })} />
              {name}
            </label>
          ))}
        </div>
      </section>
      <section>
        <h2>Autopilot</h2>
        <a href="/trust">What is trusted</a>
      </section>
      <BrowserSettings signOut={() => void leave().finally(() => model.start())} />
    </div>
  );
}

function NotifySettings({ prefs }: { prefs: Prefs }) {
  const [said, setSaid] = useState<string>();

  async function test(): Promise<void> {
    if (prefs.sound) beep();
    const result = await sendTest();
    setSaid(result);
    if (result.startsWith("Sent")) setPrefs({ notify: true });
  }

  async function wish(isOn: boolean): Promise<void> {
    if (!isOn) return setPrefs({ notify: false });
    await test();
  }

  return (
    <>
      <p>While this page is open somewhere. While it is closed: Push, below.</p>
      <label class="check">
        <input type="checkbox" checked={prefs.notify} onChange={(event) => void wish(event.currentTarget.checked)} />
        Tell me about new questions
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={prefs.sound}
          onChange={(event) => setPrefs({ sound: event.currentTarget.checked })}
        />
        With a sound
      </label>
      <button class="button" type="button" onClick={() => void test()}>
        Send a test
      </button>
      {said !== undefined && <p role="status">{said}</p>}
    </>
  );
}
