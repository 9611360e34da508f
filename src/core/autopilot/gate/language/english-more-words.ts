const set = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/**
 * What questions about code, pages, texts and tests are full of besides. Mostly things and qualities: a word that says what somebody
 * does to something is here only where it can do nothing outside the work tree.
 */
export const MORE_WORDS = set(`
recurring recur calculator descent info bio corridor corridors countdown generation projection projections abbreviate abbreviation absence abstract
abstraction academic acceptance accessibility accessible accessor accuracy accurate acronym activity adaptable adaptation adapter adaptive adding
addition adds adjective adopted adoption advantage adventure adverb affect against age agile agnostic airy album algebraic alias alike allocate
alphabet alphabetical alt alternate alternating altogether amber ambiguous ambitious amid amongst analyse analyze anchor anecdote animate annotate
annotation annual answerable anywhere apart apostrophe app apparently appears appendix applicable application approachable approximate apps arabic
arbitrary arc arcade arithmetic arrangement artifact artwork ascending ascii aspects assertion assertions assign assignment assist associate
assumption asterisk asymmetric async asynchronous atom atomic attractive autocomplete autofocus available avatar await axes axis backdrop backlog
backoff bandwidth banner bare barely baseline basically basics battle-tested beginners behaves behavioral beige benchmark benefit besides beta bias
bidirectional bigger biggest binary binding bitmap blend block blog-style blur boards boilerplate bolder bookmark both bounce boundaries brace braces
brackets brainstorm brand branding breadcrumb breadth breakpoint brevity briefly brighter broad broadly bronze browse browser browsers builder builtin
bullets bundle bundler busier byte bytes cached call called caller callers calm calmer canonical canvas capability capacity capitalization capture
carefully cares caret cartoon cascade casing castle casual catch catches catching caught cautious cave caveat ceiling centered centred ceremony
certainly challenge changelog chapters charcoal charts chatty cheatsheet checker checkmark chinese chip chooses chose chosen chronological chunk
circular cities clarification clarify clarity classical classification classify classname classy clearer clearest clearly cleverer clickable clicking
clicks clipboard closely closer closest closure cloudy clue clutter cluttered coarse coding coherent cohesion cohesive collapse collapsible colorful
colourful combination combined combo combobox comedy comfort commentary commonly comparable compares compatibility compile-time compiler complement
completely completeness completion complexity complicated composable compose composite composition comprehension compress compression computation
compute computed conceptual concerning conciseness concrete concurrency concurrent conditional conference confidence confident configurable conflict
confusing cons consequence conservative considering consist consistency constantly constraint construct constructor consume consumer consuming
contains contextual continuation continuous conveniently conventional conversational conversion convert convey convincing cool coordinate copies coral
corporate corpus correctness counting countries coupled coupling covering covers cramped creative creativity crisp criterion critical crop cross
crowded cubic curated curly currency currently customise customizable customize cyan darker dash data-driven dataset dated dates datetime daylight
daytime deadline debounce debug debugging decent decimals deck declaration declarative declare decorate decoration decorator decoupled dedicated
deeper deeply defaults defer deferred definitely delayed deliberately delimiter delta demonstrate demonstration denser dependable depending depends
derived descending describes descriptive deserialize desert designer designers desirable despite detect detection deterministic developers development
deviate diagonal diagrams dialect dialogue dice dictionary differ differentiate differently differs difficulty digest dim dimension direct directive
directly disagree discover discoverable discovery discrete discriminate discriminated distinct distinction distinguish distract distracting
distraction distracts distribution diverse diversity docstring docstrings documented domain-driven dotted double-click downside downstream dozen
drafts drag dragging dramatic drawback drawing draws driven dropdown due dungeon duplicate duplication dutch dynamic eager earthy ease easiest easily
easing ecosystem editable editorial editors educational effective effectively efficiency efficient efficiently effortless eg either elapsed elements
em embed embedded emerald emitter emojis emphasise emphasize empirical encapsulate encapsulation encode encoding encounter enemies enemy engage
engaging engine enhancement enrich ensure enter entirely entity entries enumerate enumeration ephemeral epic equality equally equation equivalent
ergonomic ergonomics error-prone essay essentials estimate evaluate evaluation evenly events eventual eventually everyday everywhere evident evolution
evolve excel excited exclusively exercises exhaustive existing exotic expandable expectation expects experienced experiment experimental expert
experts explains explanatory explicitly explicitness exploration exploratory exponential expressive extendable extensibility extensible extent extract
extraction extreme eye-catching eyebrow factory fade fail failed failing fails failure failures fairly fake fakes familiarity fancy fantasy faq
feasible feedback feeling feels felt fetch fewer fewest fiction fidelity figures filename filenames fill filled finally finding findings finds
fine-grained finer finite firm fits fixed fixture fixtures flakiness flaky flash flashcard flashcards flatten flatter flavour flex flexbox flexibility
flicker floating flowchart fluent fluid focused fold folded folding follower follows fonts football footnote forecast foreground forest forgiving
formality formats formula fortnight foundation fragment framing freeform french frequency frequent frequently friction friendlier frozen fulfil
full-width fuller fullness fullscreen functionality fundamental futuristic fuzzy gain gamification gaming gender generally generates generator
generics genre genres gently geometric geometry german gesture gets getter getters getting given gives giving glance glanceable glob globally globals
glow glue gmt goals gold golden graceful gracefully gracious gradually grain granular granularity graphic graphical graphics graphs grayscale greater
greatly greedy greek greenfield greyscale grouped grouping groups guarantee guaranteed guessed guesses guidance guideline guidelines hairline halfway
handles handwritten happier hash hashed hashing headings headless heap hearing heatmap heavier heavily heavyweight helps hex hexadecimal hierarchical
hierarchy higher highest highlighter highly highscore hints home homepage honestly hopefully horizontally hourly hovering html hue humorous hybrid
hydration hyperlink hyphenate hyphenated hypothesis hypothetical iconic iconography icons ideally idempotent identifier identifiers identify idiom
idiomatic ids ie illustrate illustrated illustrates imagery images immediate immediately immutable imperative implements implication implicitly imply
import importance importer imports impressed impression improvement impure includes inconsistent increasingly indented independently indicator indigo
indirect indirection individually industry infer inferred infinite infinity inflexible influence infographic inherently inheritance initialism
initially inlined innovative inset insight inspiration inspired instant instantly instinctively instruct instructional instructions intact integrate
integrated intensity intent intention interaction intermediate internally internals international internationalization interpret interpretation
intersection interview intro intuitive invariant invent invented inventory inverted investigate invisible involve ironic irony irregular iso isolate
isolated isolation italian italics iterable iteration iterative iterator ivory japanese jargon jerky jitter joined joint joke journal judgement
judgment justify kanban kb keen keeps keyframe keypress kinda kindly kit knows korean lab labeled labelled labels lacks lag laggy landmark lane
languages largely lasting latency latin layered layers lazily lazy leading lean leaner learning legibility legible lengthy lenient lessons letters
level levels lexer lexical lifecycle lifetime lighter lightly liked likelihood likes lime limit limitation limited limits linearly linebreak lines
linked linter listed listing lists literal literally literals literature loads locales localise localization localize localized locally located
logarithmic logged logger logging logical logically long-term longhand lookup loops lossless louder lower lowest luxury macro magazine magenta mainly
maintainability maintainable maintainer maintains maintenance majority makes making manage manageable management manages managing mandatory manner
manually manuscript mapper mapping maps mark marked marker marking marks maroon masonry matches mathematical matrix mature maximal maximise maximize
maze mb meaningful means meanwhile measurable measurement measures mechanism median medium-sized meeting mega memo memoize memoized memorable mental
mentions merely mermaid messaging meta metadata metaphor methodical methodology metrics microcopy microservice microservices midnight millisecond
milliseconds mime mindful minimalism minimise minimize minority minus mirrors misleading mission mobile mocked mocking mockups mode modes modest
modifier modify modular modularity monday-based mono monochrome monolith monolithic monorepo monthly moods mosaic mostly motivate motivation motto ms
multiline multiplayer multiply museum music mustard mutable mutation muted mystery namely names namespace narration narrative narrator narrower
narrowing navigable navigate navy nearby nearest nearly neater neatly necessarily needed needs neon nest nesting newcomer newer newline newlines newly
nicely nicer niche noise noisy nominal non nonetheless normalise normalize normalized normally notable notation notebook noteworthy noticeable notion
novel novice nth nuance null nullable numbered numbering numerals object-oriented objective observable observation observer obviously occasional
occasionally ocean odds offers offhand offset onboarding ones ongoing onscreen opaque operator opposite optimal optimisation optimization optionally
ordinal ordinarily originally originals ornament orthogonal outlines outlook overengineered overflow overkill overlap overlapping overload overly
oversight pace padded pages paginate paginated painless pairwise panels parabola paradigm paragraphs parallax parallelism parameters parametric
parentheses parenthesis parses parsing partially participle partly parts passage passive path paths peak perceive percentage perfection perfectly
periodic periodically perspective phone-sized phones photos phrasing picked picks pictogram pie pieces pill pitch pixelated placed placement plainer
plainly plaintext platformer player players playground playlist pleasant pleasing plot pluralization pm poem pointer points polar polished polling
polyfill polygon polymorphism popover popularity portability portable portfolio portuguese positioned possibility possibly postfix potential powerful
practically pragmatic precedence precisely precompute precomputed predefined predicate predictable preferably preferences prefers prefetch prefixed
premature preparation prepared prerequisite presets prettier prettify prevent prevents previewing primarily principle principles print printable
printed printing prints priorities prioritise prioritize procedural produce producer produces productive productivity proficiency profound progressive
prominent promptly prompts pronoun pronunciation proof proofread prop properly properties proportion proportional props pros protocol prototypical
prove proven provides proximity pseudo pseudocode punctuation pure purely purity puzzle px qualified qualitative quantitative quantity quarterly
queries quest quests queues quicker quickly quieter quietly quirky quiz quizzes quoted racing radial radically radix rainbow randomly randomness
ranges rank ranking rarely rate rates rating ratings rationale reactive readers readily readings reads real-time realtime reasonably reassuring recap
receive recently recipes recognisable recognise recognizable recognize recommends reconcile recorded recording recursion recursive redirect reduce
reduced reducer reduces redundancy redundant refactored refactoring refactors refer referenced refine refined refinement reflect reflects refresh
regarding regardless regression regressions regularly relational relationship relatively relevance reliability reliably relies reload rely rem
remainder remark renders repeatable repeated repeatedly repeats repetition repetitive report reporter reporting reports representation representative
reproduce reproducible request requests requires requiring resembles resizable resolution resolver resonate respect respective respectively respects
respond response responses responsibility resulting results retain rethink retries retrieval retrieve retro retrospective retry returned returning
returns reusable reused reuses reverse reversed reversible reviews revision revisit reword rewording rhetorical richer rigid rigor rigorous robustness
romantic roomy rotation rough rougher roughly rounding route router routes routine routing rows rubric ruler rules runtime russian salmon sane sans
sarcastic saturated saturation say says scalability scalable scales scaling scan scannable scanning scenario scenarios schematic scheme science
scientific scoped scores scoring screens scrollable scrolling scrolls seamless seamlessly searchable searching seasonal sections seems segment
segmentation seldom selected self-contained semantics semicolons semitransparent sentences sentiment separately separation sequences sequential serial
serialise serialization serialize serious seriously seriousness setter setters settled severity shades shading shaped shapes sharp sheet sheets shift
shifts shimmer shiny shopping shorthand shortly showcase shows shuffle sibling sidebars signal signals significance significant significantly silent
silently silhouette silver similarity similarly simplicity simplification simplified simplifies simplify simulate simulation simultaneous
simultaneously singleton singular sits situational sixty sized skeleton sketches skill skills skillset skim skimmable slash slate slice slide slides
slight slightly slim slogan slot slots slowly slug slugs smallcaps smoke smoother smoothly snackbar snap snappy snapshotless snippet snippets socket
softer sole solely solve solved solves somehow somewhere songs soothing sophisticated sorted sorting sorts soundness spacious spanish sparkline sparse
specifically specifies spectrum speech spelled spelt spike spinner spiral splash spreadsheet sprint sprite sprites squared stability stable stacked
stacking stages standalone standardize standards stars starter starting starts state-of-the-art stateful stateless statements statically statistic
statistics stats stays steadily steady steep step-by-step stepper stores stories storyboard storytelling straightforward strategic strategies stream
streaming streams strength stress stretch stricter strictest strictly strictness striking stringify strings stripe stripes striping stroke stronger
strongly structural structures stub stubs student students stylesheet stylish stylistic subclass subheading subjective subjects submodule subpage
subsection subsequent substantial subtitle subtly subtraction succeed succinct succinctly suddenly sufficiently suffixes suggestive suggests
suitability suite suites summaries summarise summarises summarize sunday-based sunny superscript supplementary supports surely surprising surprisingly
surrounding suspense sustainable svelte swatch swipe swiping swiss symbols symmetry sync synced synchronous synonyms syntactic synthetic systematic
tabbed tablets tabular tagline tailored takeaway taller tap tapping taps tasks taxonomy teacher teachers teaches teal tech technically technique
technologies technology tedious temperature templates tempo tentative term terminology terms ternary testable tester textarea textbook textual texture
thematic themes theoretical thereby therefore thicker thinks thinner thoroughly though thoughtful thread threads three-column throttle throttling
through throughput throw throwing throws thumb thumbnails thus tick ticks tight tighter tightly tile tiles timeless timeout timeouts timer timers
timestamp timestamps timezone timing tinted tip tips titles toggles tokenize tolerance tolerant tones tooling toolkit tooltips topics totals
touchscreen tour towards trace traceable trade-off tradeoff tradeoffs traditional trail trait traits transform transformation transformer transient
transitions translated translates translations transparency traversal traverse treatment treats tree-shaking trees trend trends trendy trick tricky
trie tries triple truly truthful tuple turkish tutorial tutorials tweak type-safe typeface typesafe typically typing typographic typos uglier ugly
ultimate ultimately ultra umbrella unaffected unambiguous uncertain unchanged unclear uncommon undefined underlined underneath underscore underscores
understandable understanding undocumented unexpected unfamiliar unhappy unified uniformity uniformly unify union uniqueness unittest universally
university unknown unlike unlikely unnecessary unread unrelated unsorted untouched untyped unusual upcoming upfront upon upright upside usability
usable usage usecase uses using usually utc utilities utmost utterly vague validates validator validators validity valuable variables variance
variants variation variations varied varies variety various vastly vector vectors verbatim verbosely verbosity verification verified verifier verifies
versatile verse versioning versions versus vertically viable vibes vibrant vibration videos viewer viewport views vignette village vintage visibility
visible vision visualises visualization visualize visually vivid voltage vowel vs waiting walkthrough wanted wants warmer warmth warnings warns
watercolour watermark weaker web weekday weekdays weekends weighted weights well-known whenever whereas wherever whichever whimsical whoever wholly
widely widespread widget widgets widths wildcard wind wins wire wired wireframe wireframes wiring wise wizard wordy worker workers works workspace
worse worst worthwhile wrapped wrapping wraps writer writers writes writing yaml zones
`);
