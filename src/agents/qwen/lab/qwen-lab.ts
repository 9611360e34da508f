import type { ScriptedModel } from "../../../lab/model.ts";
import type { Tmux } from "../../../lab/tmux.ts";
import { pickThird as pick, createKinLab, type KinLab, type KinLabOptions } from "../../gemini-kin/kin-lab.ts";
import { layout } from "../screens/0.24.4/layout.ts";

export type QwenLabOptions = KinLabOptions & { model: Pick<ScriptedModel, "url"> };

/** The real Qwen Code in a terminal of its own. */
export const createQwenLab = ({ model, ...options }: QwenLabOptions): Promise<KinLab> =>
  createKinLab(
    {
      name: "qwen",
      settingsFile: ".qwen/settings.json",
      settings: SETTINGS,
      variables: { OPENAI_API_KEY: "dummy-local", OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_MODEL: "scripted" },
      inputBox: qwenInputBox,
    },
    { ...options, args: ["--approval-mode", "default", ...(options.args ?? [])] },
  );

/** Nothing of it leaves this machine, and it asks for nothing before it starts. */
export const SETTINGS = {
  security: { auth: { selectedType: "openai" }, folderTrust: { enabled: false } },
  general: { enableAutoUpdate: false, disableAutoUpdate: true },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  ui: { hideTips: true, hideBanner: true },
};

export function qwenInputBox(text: string): string | undefined {
  const screen = layout.read(text);
  // While it works it takes a prompt too, for later.
  if (screen.type !== "prompt" || /esc to cancel|Enter to steer/.test(text)) return undefined;
  // Its cursor is a character without width.
  return screen.draft.replaceAll(/[\s\p{Cf}]/gu, "");
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
