import { contains } from "../word-list.ts";

// What a question is about, by the words it uses. Alternatives of one list are equals; none may repeat another's work.

/** Things on which nothing else depends: another choice is as good and as easy to change. */
export const STYLE = contains(String.raw`
  nam(?:e|es|ed|ing)|call|called|rename|convention|conventions|casing|capitali[sz]ation|camelcase|snake_case|kebab-case|pascalcase|prefix|suffix
  indent(?:ation)?|tabs|spaces|quotes|semicolons?|trailing commas?|line length|formatt(?:ed|er|ing)|format|import order|sort order
  styles?|styling|tone|voice|worded|wording|phras(?:ed|ing)|prefer|preferences?|verbos(?:e|ity)|concise|terse|brief|detailed|formal|casual|friendly|playful|professional
  colou?rs?|colou?red|palette|theme|themed|dark|light mode|accent|gradient|fonts?|typography|typeface|monospace|serif
  layouts?|visuals?|visually|aesthetics?|look and feel|look|looks|appear(?:s|ance)?|vibe|mood|minimal(?:ist)?|clean(?! up)|modern|bold|elegant|playful
  icons?|emoji|logo|badges?|spacing|density|dense|compact|whitespace|padding|rounded|shadows?|borders?|striping|alignment|animations?
  comments?|docstrings?|commit messages?|changelog entry|headings?|titles?|captions?|copy|placeholder text|cards?|grid|timeline|sidebar
  display(?:ed)?|present(?:ed|ation)|shown|highlight(?:ed|ing)?|explanation style|diagrams?|ascii|language for|british|american english
`);

/** Things on which others will stand. */
export const ARCHITECTURE = contains(String.raw`
  architectur(?:e|al)|approach(?:es)?|strateg(?:y|ies)|patterns?|design|mechanism|algorithm|trade-?offs?|stack|tech|technology
  databases?|db|sql|nosql|sqlite|postgres(?:ql)?|mysql|mongo(?:db)?|redis|storage|stored?|persist(?:ed|ence|ent)?|cach(?:e|ed|ing)|schemas?|tables?|index(?:es|ing)?
  auth|authenticat(?:e|ion)|authori[sz]ation|oauth(?: ?2(?:\.0)?)?|jwt|sso|sessions?|tokens?|cookies?|login|encrypt(?:ed|ion)?|security|secure
  apis?|rest|graphql|grpc|rpc|endpoints?|webhooks?|websockets?|sse|polling|protocol|http|interfaces?|contracts?|signatures?|parsers?
  frameworks?|librar(?:y|ies)|packages?|dependenc(?:y|ies)|modules?|monorepo|components?|plugins?|sdk|orm|engine|runtime|platforms?|providers?|vendor
  react|vue|svelte|next\.?js|node|typescript|python|rust|go|java|docker|kubernetes|aws|gcp|azure|vercel|cloud|server|serverless|backend|frontend|client-side|server-side|ssr
  deploy(?:ed|ment|ing)?|host(?:ed|ing)?|infrastructure|regions?|migrat(?:e|ed|ion|ions|or)|backward[s-]? ?compatib(?:le|ility)|compatibility|deprecat(?:e|ed|ion)|versioning|rollback|rollout
  queues?|workers?|jobs?|cron|schedul(?:e|er|ing)|concurren(?:cy|t)|parallel(?:ism)?|sequential|async(?:hronous)?|sync(?:ed|hronous|hroni[sz]ation)?|real-?time|streaming|batch(?:ed|ing)?|transactions?|locking|idempoten(?:t|cy)
  errors?|error handling|fail(?:s|ed|ure|ures|ing)?|retr(?:y|ies)|fallbacks?|timeouts?|validat(?:e|es|ed|ion)|recover(?:y)?|conflicts?|duplicates?|edge cases?|limits?|rate limit(?:ing|s)?|offline
  state|state management|data|data model|data flow|source of truth|config(?:uration)?|env vars?|environment variables?|permissions?|roles?|multi-?tenan(?:t|cy)|tenants?
  test(?:ing)? (?:framework|strategy|approach)|ci(?:/cd)?|pipeline|build|bundler|branch(?:es|ing)?|monitoring|telemetry|observability|logging|metrics|tracing|health
  perform(?:ance|ant)|scal(?:e|es|able|ability|ing)|latency|throughput|overhead|complexity|maintain(?:able|ability)|flexib(?:le|ility)|lightweight|robust|stateless|acid|simpler|faster|slower
  handl(?:e|es|ed|ing)|behav(?:e|es|ior|iour)|happens?|work|works|trigger(?:s|ed)?|run|runs|interact(?:s|ion)?|integrat(?:e|es|ion)|structur(?:e|ed)|organi[sz]ed?|own(?:s|ership)?|live|lives|binding|implement(?:ed|ation)?|resolve[sd]?|semantics
`);

/** What and how much is to be done. */
export const SCOPE = contains(String.raw`
  scope|scoped|in scope|out of scope|include[sd]?|including|exclude[sd]?|cover(?:ed|s|age)?|features?|areas?|sections?|requirements?|items?|parts?|files|phases?|milestones?|stories|story
  mvp|v1|v2|first version|must-have|must have|nice-to-have|priorit(?:y|ies|i[sz]e)|everything|all of|all (?:three|four|projects)|only|both|just|minimal|minimum|comprehensive|complete|full|partial|subset|quick|thorough(?:ly)?|deep|broad
  how (?:much|many|far|thorough|comprehensive|deep|extensive|detailed|broad)|support(?:ed|s)?|candidates|gaps|defer(?:red)?|which (?:tests|commands|platforms|browsers|languages|environments|endpoints|pages|modules|components|changes|findings|issues|tasks|todos)
`);

/** A label that says how much, as one step of a scale. */
export const EXTENT =
  /(?<![\p{L}])(?:all|only|just|both|everything|full|partial|minimal|basic|essential|advanced|comprehensive|extensive|moderate|small|medium|large|focused|narrow|broad|none|nothing|everywhere)(?![\p{L}])/u;

export function count(pattern: RegExp, text: string): number {
  return new Set(text.match(pattern)).size;
}
