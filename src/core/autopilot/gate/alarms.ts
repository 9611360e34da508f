import type { Stake } from "../stake/stake.ts";

/** What a text names that lies outside the work tree, or cannot be had back. `stake`: what a rule must name to be let through. */
export type Alarm = { about: string; stake?: Stake; words: string };
type Group = { about: string; stake?: Stake; stems: string; whole: string; phrases: readonly RegExp[] };

// A stem stands at the beginning of a word; a whole word alone. All are looked for in lower case.
/** To act on what is stored; to say how it shall be shown or used is not. */
const ON_DATA = new RegExp(
  `(?<!\\w)(?:${alternatives(`add create build make set write load put save store copy edit adjust correct improve extend expand
  no none nothing on combine split generate increase organize arrange prepare finish complete export`)})(?:s|d|ed|ing)?(?!\\w)[\\s\\S]*(?<!\\w)(?:database|table|column|index|schema|user|order|data)`,
);
const GROUPS: readonly Group[] = [
  {
    about: "destroying or replacing",
    stake: "destructive",
    stems: `delet remov eras wip purg destr drop nuk trash overwrit discard clear clean trunc reset revert uninstall teardown terminat
      kill prun obliterat eliminat annihilat shred scrub flush empt sanitiz sanitis expung evict vacuum squash rebas amend rewrit
      replac overrid migrat upgrad downgrad updat bump roll rollback restor recreat reinitial reinstall reformat retir sunset
      decommission deprecat archiv tidy tidi declutter reclaim recycl dispos dump toss scrap ditch yank strip
      shrink trim collaps consolidat dedup compact garbage obsolet stale orphan unused leftover legacy dead abandon detach unlink
      unmount zero blank nullif wreck ruin break swap switch renam mov transfer permanent irrevers undo redo lose lost loss loos vanish
      disappear forget goodbye farewell rid clobber annul void scratch fresh force hard backup snapshot histor cleanup`,
    whole: `cut cuts cutting burn burns burnt torch axe axed chop gone end ends free frees freed freeing space room away aside off out down
      without overwritten rest sleep raze rip bin binned sweep sweeps swept wash nix can't cannot rm del rmdir dd mkfs over`,
    phrases: [
      /^(?!\W*let'?s\s+go\W*$)[\s\S]*(?<!\w)let(?:'?s)?(?!\w)[\s\S]*(?<!\w)go(?:es)?(?!\w)/,
      /(?<!\w)(?:make|making|clear|create|gain)(?!\w)[\s\S]*(?<!\w)(?:room|spaces?)(?!\w)/,
      /(?<!\w)(?:start|begin)(?:ing|ning)?(?!\w)[\s\S]*(?<!\w)(?:over|anew|again|afresh)(?!\w)/,
      // Who keeps only something keeps nothing else.
      /(?<!\w)(?:keep|leav|stay|surviv)\w*[\s\S]*(?<!\w)(?:only|just|no)/,
      /(?<!\w)(?:only|just|no)[\s\S]*(?<!\w)(?:keep|leav|stay|surviv)/,
      /(?<!\w)(?:part|parting)(?!\w)[\s\S]*(?<!\w)with(?!\w)/,
    ],
  },
  {
    about: "going out to others",
    stake: "publishing",
    stems: `publish publici deploy releas push merg promot ship upload download announc tweet blog broadcast newsletter send
      sent submit shar email e-mail mail slack discord telegram whatsapp sms notif invit contact customer client-facing subscriber
      audience visitor stakeholder partner vendor supplier press media social market app-store appstore registr npm pypi crates github
      gitlab bitbucket upstream origin remote fork repositor branch commit tag websit internet public extern third-part outsid webhook callback
      telemetr analytic trackin production prod staging preprod canar rollout launch go-live domain dns cdn hosting sign-off open-sourc
      opensourc ticket jira survey world everyone everybody colleague team boss manager`,
    whole: `repo repos live post posts posted posting tell tells telling pr prs main master trunk head reply replies call calls phone outbound git hub
      ci cd pipeline pipelines feed feeds`,
    phrases: [
      /(?<!\w)open[\s\S]*(?<!\w)sourc/,
      /(?<!\w)(?:open|raise|file|create)(?:s|d|ing)?(?!\w)[\s\S]*(?<!\w)(?:issue|request|ticket)s?(?!\w)/,
    ],
  },
  {
    about: "the machine and what runs on it",
    stems: `install setup set-up sudo root admin system kernel driver firmware boot reboot restart shutdown shut startup daemon servic serving
      host machine laptop computer devic hardware disk drive partition volum mount network firewall proxy vpn ssh ftp scp rsync curl wget
      docker container kubern kubect helm cluster pod instanc vm virtual-mach cloud aws azur gcp terraform tofu ansible pulumi
      vercel netlify heroku cron schedul process execut exec invok script command shell bash terminal powershell
      console binary program software package depend plugin extension brew apt-get apt yum pip cargo gem maven gradle yarn
      pnpm bun node npx infrastruct environment env config profil crontab systemd systemctl launchd cpu gpu
      ram bandwidth quota resource chmod chown symlink folder director desktop tmp temp bucket
      lambda connect`,
    whole: `run runs ran running port ports spin wake launch launches stop stops stopped stopping spawn spawns pm2
      lint compile perform apply applies applied applying trigger triggers triggered fire fires process`,
    phrases: [
      ON_DATA,
      // That one needs "a server" says how something is built; "the server" is one that runs.
      /(?<!\w)(?:the|our|your|my|on|to|from|with|in|start|begin|use|open|go|keep|each|all|every|one|new)(?!\w)[\s\S]*(?<!\w)server/,
      /(?<!\w)server[\s\S]*(?<!\w)(?:start|begin|use|open|go|keep|up)(?!\w)/,
      /(?<!\w)(?:turn|switch|power|bring|take|spin)(?:s|ing)?(?!\w)[\s\S]*(?<!\w)(?:on|up|offline|online)(?!\w)/,
    ],
  },
  {
    about: "guards and autonomy",
    stake: "permission",
    stems: `permi allow grant authori approv privileg access acl sandbox secur protect guard safe unsafe danger risk bypass disabl
      deactiv ignor skip suppress silenc mute relax loosen weaken weakn lift unlock unblock whitelist allowlist allow-list blocklist
      firewall no-verif autonom unattend unsupervis auto yolo supervis hook policy polici compli audit
      certif signatur encrypt decrypt tls ssl https cors csrf captcha 2fa mfa rate-limit ratelimit restrict enforc       trust full-control unrestrict admin elevat escalat impersonat consent legal licens contract complianc`,
    whole: `enable enables enabled enabling deny denied`,
    phrases: [],
  },
  {
    about: "secrets and accounts",
    stake: "secrets",
    stems: `secret passw passphras passcod credent token api-key apikey api_key keychain keystor keyring vault private personal confident sensitiv
      oauth sso saml jwt account identit wallet seed-phras mnemon ssn passport birth health medical patient salar payroll
      pii gdpr dotenv fingerprint`,
    whole: `key keys pin pins`,
    phrases: [/(?<!\w)(?:log|sign)(?:s|ged|ging|ing)?[\s-]+in(?:to)?(?!\w)[\s\S]*(?<!\w)as(?!\w)/],
  },
  {
    about: "cost and models",
    stake: "money",
    stems: `cost pric pay paid purchas buy bought subscri billing bill invoic refund charg credit-card credit debit
      money cash fund dollar euro usd eur gbp bitcoin crypto budget spend spent expens cheap premium enterprise tier trial
      seat donat bank iban sell sale gpt claude opus sonnet haiku gemini openai anthropic llm model inferenc
      fine-tun finetun`,
    whole: `pro plus order ordering ordered`,
    phrases: [],
  },
];

const COMPILED = GROUPS.map(({ stems, whole, phrases, ...group }) => ({
  ...group,
  signs: [
    new RegExp(`(?<![a-z])(?:${alternatives(stems)})[a-z'-]*`),
    new RegExp(`(?<![a-z'])(?:${alternatives(whole)})(?![a-z])`),
    ...phrases,
  ],
}));

/** One of each kind; `text` is in lower case. */
export function alarmsIn(text: string): Alarm[] {
  return COMPILED.flatMap(({ about, stake, signs }) => {
    const words = signs.map((sign) => sign.exec(text)?.[0]).find((hit) => hit !== undefined);
    return words === undefined ? [] : [{ about, ...(stake && { stake }), words }];
  });
}

export const isAlarming = (word: string): boolean =>
  COMPILED.some(({ signs }) => signs.some((sign) => sign.test(word)));

/** What points at something that is said elsewhere: whoever reads the question alone does not know what it asks. */
const ELSEWHERE = new RegExp(
  `(?<![a-z])(?:${alternatives(`it its it's itself this that that's these those them they their above below earlier before previous
  previously prior aforementioned said discussed agreed mentioned proposed suggested described listed outlined planned
  following same such usual plan plans planning proposal proposals suggestion suggestions change changes changed changing
  migration fix fixes fixed patch patches step steps action actions operation operations procedure recommendation
  recommendations remaining latter former whatever accordingly thing things stuff everything yesterday
  `)})(?![a-z])`,
);

export function elsewhereIn(text: string): string | undefined {
  return ELSEWHERE.exec(text)?.[0];
}

function alternatives(list: string): string {
  return list.trim().split(/\s+/).join("|");
}
