import type { ScriptedModel } from "../../../lab/model.ts";
import type { Tmux } from "../../../lab/tmux.ts";
import { pickThird as pick, createKinLab, type KinLab, type KinLabOptions } from "../../gemini-kin/kin-lab.ts";
import { layout } from "../screens/0.61.0/layout.ts";

export type GeminiLabOptions = KinLabOptions & { model: Pick<ScriptedModel, "url"> };

/** The real Gemini CLI in a terminal of its own. */
export const createGeminiLab = ({ model, ...options }: GeminiLabOptions): Promise<KinLab> =>
  createKinLab(
    {
      name: "gemini",
      settingsFile: ".gemini/settings.json",
      settings: SETTINGS,
      variables: { GEMINI_API_KEY: "dummy-local", GOOGLE_GEMINI_BASE_URL: model.url },
      inputBox: geminiInputBox,
    },
    options,
  );

/** Nothing of it leaves this machine, and it asks for nothing before it starts. */
const SETTINGS = {
  security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  ui: { hideTips: true, hideBanner: true },
};

export function geminiInputBox(text: string): string | undefined {
  const screen = layout.read(text);
  // While it works it takes a prompt too, for later.
  if (screen.type !== "prompt" || /esc to cancel/.test(text)) return undefined;
  return screen.draft.replaceAll(/\s/g, "");
}

/** Waits until the dialog for this question is on the screen. */
export const waitForQuestion = (tmux: Tmux, question: string): Promise<string> =>
  tmux.waitFor((text) => {
    const screen = layout.read(text);
    return screen.type === "question" && squeeze(screen.text).includes(squeeze(question));
  });

/** At its own keyboard. */
export const pickThird = (tmux: Tmux): Promise<void> => pick(tmux, layout.read);

export const waitForApproval = (tmux: Tmux): Promise<string> =>
  tmux.waitFor((text) => layout.read(text).type === "approval");

const squeeze = (text: string): string => text.replaceAll(/\s/g, "");
