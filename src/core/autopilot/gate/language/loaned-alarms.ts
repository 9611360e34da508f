import type { Groups } from "./alarm.ts";

/** The words of the trade that alarm in every language of Latin letters. */
export const LOANED_ALARMS: Groups = {
  "destroying or replacing": {
    stems:
      "delet drop reset purg trunc wip clean backup rollback overwrit revert rebas squash nuk migr archiv cleanup uninstall updat upgrad",
  },
  "going out to others": {
    stems:
      "deploy push releas publi merg commit upload ship rollout launch staging live github gitlab npm branch mail email newsletter slack tweet webhook telemetr pull master remote origin online",
    whole: "prod repo repos main post posts",
  },
  "the machine and what runs on it": {
    stems:
      "install docker server host cloud sudo root admin restart reboot shell bash script crontab system servic cluster aws azur vercel netlify container",
  },
  "guards and autonomy": { stems: "permi autoris autoriz autonom sandbox bypass firewall yolo auto" },
  "secrets and accounts": { stems: "token passw login account api-key secret credent oauth jwt vault key" },
  "cost and models": {
    stems: "premium credit gpt claude opus sonnet haiku gemini openai llm budget gpu euro dollar model",
    whole: "abo abos",
  },
};
