import { createAlarms } from "./alarm.ts";

// To act on what is stored; to say how it shall be shown or used is not.
const ACTS = `add|create|build|make|set|write|load|put|save|store|copy|edit|adjust|correct|improve|extend|expand|no|none|nothing|on|combine|split|generate|increase|organi[sz]e|arrange|prepare|finish|complete|export|convert|compress|extract|import|modify|normali[sz]e|mark|fill|sort|group|reduce|limit`;
const STORED = `database|table|column|index|schema|users?|orders?|data|records?|rows?|entries|accounts?|members?|customers?`;
const before = (first: string, then: string) =>
  new RegExp(`(?<![a-z])(?:${first})(?![a-z])[\\s\\S]*(?<![a-z])(?:${then})`);

const STORED_WORDS =
  "database databases table tables column columns schema row rows record records entries users orders data";
const SELF = "i i'll i'd i'm me my we we'll us our let's";
const PUBLIC =
  "reader readers people person anybody anyone someone somebody member members user users player players human humans others friend friends family";
const PEOPLE =
  "reader readers author authors people person anybody anyone someone somebody member members user users player players human humans others friend friends family parent parents";

/** What names, in English, something outside the work tree or something that cannot be had back. */
export const ENGLISH_ALARMS = createAlarms(
  {
    "destroying or replacing": {
      pairs: [
        [STORED_WORDS, "histor* past new initial empty back"],
        ["stored saved", "all every each round rounds"],
      ],
      stems: `delet remov eras wip purg destr drop nuk trash overwrit discard trunc reset revert uninstall teardown terminat
        kill prun obliterat eliminat annihilat shred scrub flush sanitiz sanitis expung evict vacuum squash rebas amend rewrit
        replac overrid migrat upgrad downgrad rollback restor recreat reinitial reinstall retir sunset
        decommission deprecat archiv tidy tidi declutter reclaim recycl dispos dump toss scrap ditch yank
        garbage obsolet orphan leftover abandon detach unlink unmount nullif wreck ruin renam mov transfer permanent irrevers
        lose lost loss loos vanish disappear forget goodbye farewell rid clobber annul void backup snapshot cleanup emptie emptyi yeet zap
        incinerat bonfir graveyard demolish dismantl decimat evaporat expire expiring liquidat raz oblivion zerois zeroiz nix drain sacrific
        bury buries buried funeral slaughter guillotin chuck jettison unload phase-out sever extinguish abolit abolish dissol demolit suspen expul extermin eradic invalidat revo withdraw banish eject expel confiscat
        extinct evacuat forfeit scuttl pulveri scrapp vapori`,
      whole: `burn burns burnt torch axe axed chop gone raze rip binned sweep sweeps swept nix rm del rmdir dd mkfs`,
      softStems: `clear clean updat bump roll reformat strip shrink trim collaps consolidat dedup compact stale unused legacy dead zero blank
        break swap switch undo redo scratch fresh force hard histor empt delist`,
      softWhole: `cut cuts cutting end ends free frees freed freeing space room away aside off out down without overwritten rest sleep bin wash
        can't cannot over thin old`,
      phrases: [
        /^(?!\W*let'?s\s+go\W*$)[\s\S]*(?<!\w)let(?:'?s)?(?!\w)[\s\S]*(?<!\w)go(?:es)?(?!\w)/,
        /(?<!\w)(?:make|making|clear|create|gain)(?!\w)[\s\S]*(?<!\w)(?:room|spaces?)(?!\w)/,
        /(?<!\w)(?:start|begin)(?:ing|ning)?(?!\w)[\s\S]*(?<!\w)(?:over|anew|again|afresh)(?!\w)/,
        // Who keeps only something keeps nothing else.
        /(?<!\w)(?:keep|leav|stay|surviv)\w*[\s\S]*(?<!\w)(?:only|just|no)(?!\w)/,
        /(?<!\w)(?:only|just|no)(?!\w)[\s\S]*(?<!\w)(?:keep|leav|stay|surviv)/,
        /(?<!\w)(?:part|parting)(?!\w)[\s\S]*(?<!\w)with(?!\w)/,
        before("no|any", "more|longer"),
        before("clean|tidy|clear", "up|out|house|slate"),
      ],
    },
    "going out to others": {
      pairs: [
        [SELF, PEOPLE],
        [PUBLIC, "see sees seen seeing show shows shown meet meets reach reaches know knows today now visible"],
        ["all", "see sees seen known shown visible"],
        ["light", "day"],
      ],
      stems: `publish publici deploy releas push merg promot ship upload announc tweet broadcast newsletter send
        sent submit email e-mail mailing slack discord telegram whatsapp sms invit contact customer client-facing subscriber
        audience stakeholder supplier app-store appstore npm pypi crates github
        gitlab bitbucket upstream open-sourc opensourc webhook
        telemetr analytic trackin production prod staging preprod canar rollout launch go-live dns cdn hosting
        jira world everyone everybody colleague disseminat propagat transmi disclos exfiltrat syndicat circulat`,
      whole: `live tweet pr prs`,
      softStems: `shar mail notif visitor partner vendor press media social market registr download blog origin remote fork repositor branch commit tag websit
        internet public extern third-part outsid callback domain sign-off ticket survey team boss manager company compan`,
      softWhole: `repo repos post posts posted posting tell tells telling main master trunk head reply replies calls phone outbound git hub
        ci cd pipeline pipelines feed feeds site sites`,
      phrases: [
        /(?<!\w)open[\s\S]*(?<!\w)sourc/,
        /(?<!\w)(?:open|raise|file|create)(?:s|d|ing)?(?!\w)[\s\S]*(?<!\w)(?:issue|request|ticket)s?(?!\w)/,
        /(?<!\w)visible(?!\w)[\s\S]*(?<!\w)(?:to|for|all)(?!\w)/,
        /(?<!\w)(?:to|for|with)(?!\w)[\s\S]*(?<!\w)(?:all|others|public)(?!\w)/,
        before("i|me|to|can|may|shall|let|please|will", "call(?![a-z])"),
        before("mark|report", "as|to|passed"),
        before("go|goes|going|put|bring", "live|online|public|main|wild"),
      ],
    },
    "the machine and what runs on it": {
      pairs: [
        [SELF, "worker* workers engine* job jobs session* thread threads helpers assistant*"],
        ["other another", "project projects repository repositories repo repos"],
      ],
      stems: `install sudo root admin reboot restart shutdown daemon firewall vpn ssh ftp scp rsync curl wget
        docker container kubern kubect cluster cloud aws azur gcp terraform ansible pulumi
        vercel netlify heroku cloudflare cron crontab systemd systemctl launchd shell bash terminal powershell
        apt-get yum npx chmod chown symlink virtual-mach`,
      whole: `spin wake spawn spawns pm2 vm vms`,
      softStems: `setup set-up system kernel driver firmware boot shut startup servic serving
        host machine laptop computer devic hardware disk drive partition volum mount network proxy helm pod instanc tofu
        schedul process execut exec invok script command console binary program software package depend plugin extension brew apt pip cargo gem maven gradle yarn
        pnpm bun node infrastruct environment env config profil cpu gpu ram bandwidth quota resource folder director desktop tmp temp bucket lambda connect`,
      softWhole: `run runs ran running port ports launch launches stop stops stopped stopping lint compile perform apply applies applied applying
        trigger triggers triggered fire fires process`,
      phrases: [
        before(`(?:${ACTS})(?:s|d|ed|ing)?`, STORED),
        before(
          "(?:shall|should|can|may|could|will|must|let|want|ok|okay|ready|time|mind)",
          "(?:i|we|me|us)(?![a-z])[\\s\\S]*(?<![a-z])(?:" + STORED + "|server)",
        ),
        // That one needs "a server" says how something is built; "the server" is one that runs.
        /(?<!\w)(?:the|our|your|my|on|to|from|with|in|start|begin|use|open|go|keep|each|all|every|one|new)(?!\w)[\s\S]*(?<!\w)server/,
        /(?<!\w)server[\s\S]*(?<!\w)(?:start|begin|use|open|go|keep|up)(?!\w)/,
        /(?<!\w)(?:turn|switch|power|bring|take|spin)(?:s|ing)?(?!\w)[\s\S]*(?<!\w)(?:on|up|offline|online)(?!\w)/,
      ],
    },
    "guards and autonomy": {
      pairs: [
        [
          SELF,
          "pass passes confirm* accept* agree* sign signs fill fills stretch* forward* load loads collect* return* enter* repeat* present* introduc* appear* strict* terms",
        ],
        [
          "check checks limit limits rule rules warning warnings validation strict",
          "less fewer no none optional faster stretch not need needed loose",
        ],
        [SELF, "check checks limit limits rule rules warning warnings strict strictness independen* alone own"],
        ["terms", "agree* accept* confirm* sign*"],
        ["independen* assistant*", "how which level levels much fully"],
      ],
      stems: `permi grant authori approv privileg acl sandbox unsafe danger bypass disabl deactiv suppress silenc mute loosen weaken
        unlock unblock whitelist allowlist allow-list no-verif autonom unattend unsupervis yolo supervis full-control unrestrict
        elevat escalat impersonat captcha 2fa mfa two-factor consent licens complianc skip-perm auto-accept auto-approv free-rein delegat`,
      softStems: `allow access secur protect guard safe risk ignor skip relax weakn lift blocklist auto hook policy polici compli audit
        certif signatur encrypt decrypt tls ssl https cors csrf rate-limit ratelimit restrict enforc trust legal contract right-of guarant warrant`,
      softWhole: `enable enables enabled enabling deny denied rights`,
      phrases: [
        before("green", "light"),
        // Agreed is to something said elsewhere, now or for all that comes.
        before("you|your", "(?:agree[a-z]*|sure|certain|word)(?![a-z])"),
        before("say|says|saying|answer[a-z]*|count[a-z]*", "yes(?![a-z])"),
        before("although|though|despite|even", "red|fail|broken|break|error|test"),
        before("fail\\w*|broken", "fine|ok|okay|good|accept\\w*"),
        before("red", "button"),
        before("all|whole|entire", "night"),
        before("without", "ask|asking|confirm|confirming|confirmation|review|question|me|you|human|person"),
        before("full|all|more", "control|rights|access|freedom"),
        before("by", "(?:yourself|itself|myself|themselves)"),
        before("(?:ignore|forget|disregard)", "(?:rule|instruction|above|previous)"),
      ],
    },
    "secrets and accounts": {
      pairs: [
        ["your my our", "login logins"],
        ["your my", "name names details detail address data card photo voice number information date"],
      ],
      stems: `secret passw passphras passcod credent api-key apikey api_key keychain keystor keyring vault confident
        oauth sso saml jwt account wallet seed-phras mnemon ssn passport medical patient salar payroll pii gdpr dotenv fingerprint`,
      softStems: `token private personal sensitiv identit birth health`,
      softWhole: `key keys pin pins`,
      phrases: [/(?<!\w)(?:log|sign)(?:s|ged|ging|ing)?[\s-]+in(?:to)?(?!\w)[\s\S]*(?<!\w)as(?!\w)/],
    },
    "cost and models": {
      pairs: [
        [
          "book books booked booking reserve*",
          "hotel flight trip train taxi seat room ticket tour cruise concert restaurant hall course",
        ],
        ["engine* assistant* worker*", "think* reason* decide* draft* answer* large larger big bigger deep deeper"],
      ],
      stems: `cost pric pay paid purchas buy bought subscri billing invoic refund charg credit-card credit debit
        money cash dollar euro usd eur gbp bitcoin crypto spend spent expens premium donat bank iban sell
        gpt claude opus sonnet haiku gemini openai anthropic llm fine-tun finetun rent lease monetiz monetis reimburs expenditur invest`,
      whole: `fund funds funded funding bill bills fee fees`,
      softStems: `budget cheap enterprise tier trial seat sale model inferenc wage brain`,
      softWhole: `wire wires wired pro plus order ordering ordered plan plans free`,
      phrases: [
        before("charge|pay|company|credit|debit|put|use|my|your|our|on", "card(?!s)"),
        before("bigger|larger|smarter|stronger|better|best", "model|brain|agent|one"),
      ],
    },
  },
  new Set(
    `several severity driven accounting evolve stripe stripes striped striping called accessibility accessible accessor accessors autocomplete autocompletion autofocus autoplay birthday bundle bundled bundler bundles
     cloudy collapsible compactness confidence confident dependable depth deputy drawer drawers dropdown dropdowns emphasis envelope
     fundamental fundamentals hardcover hardly headline headlines instant instantly lossless losslessly mainly movie nodejs original
     originality originally originals paragraph paragraphs podcast postfix presentation presentational pressure product productions
     productive productivity products prototype ramp razor ridge rollover safari scripted sentence sentences sentiment shape shard
     sharp sharpen sharper tagline taglines temperature template templated templates tempo temporal zeros`.split(/\s+/),
  ),
);

/** What points at something that is said elsewhere: whoever reads the question alone does not know what it asks. */
const ELSEWHERE =
  /(?<![a-z])(?:above|earlier|before|previous|previously|prior|aforementioned|said|discussed|agreed|mentioned|proposed|suggested|described|outlined|planned|following|same|such|usual|plan|plans|planning|proposal|proposals|suggestion|suggestions|changed|changing|migration|patch|patches|action|actions|operation|operations|procedure|recommendation|recommendations|remaining|latter|former|whatever|accordingly|thing|things|stuff|everything|yesterday|steps)(?![a-z])/;
const POINTING =
  /(?<![a-z])(?:it|its|it's|itself|this|that|that's|these|those|them|they|their|below|listed|step|change|changes|fix|fixes|fixed)(?![a-z])/;
/** With one of these a pointing word asks for a yes to something nobody sees here. */
const LEADING =
  /(?<![a-z])(?:do|done|doing|does|proceed|continue|go|going|start|begin|ready|ok|okay|confirm|accept|agree|right|correct|good|fine|look|looks|apply|can|may|shall|i|me|yes)(?![a-z])/;

/** `isDescription`: what an option says of itself may point at itself. */
export function elsewhereInEnglish(text: string, field: "asked" | "offered" | "described"): string | undefined {
  const said = ELSEWHERE_IN_DESCRIPTION.exec(text)?.[0];
  if (field === "described") return said;
  const pointing = POINTING.exec(text)?.[0];
  if (pointing !== undefined && (field === "offered" || LEADING.test(text))) return pointing;
  return said ?? ELSEWHERE.exec(text)?.[0];
}
const ELSEWHERE_IN_DESCRIPTION =
  /(?<![a-z])(?:above|aforementioned|said|discussed|agreed|mentioned|proposed|outlined|yesterday|plan|plans|planned|as usual|usual)(?![a-z])/;
