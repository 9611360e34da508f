const set = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/**
 * Words with which a question can be asked that names nothing outside the work tree. Left out on purpose: every word that
 * destroys, spends, reveals, publishes, permits, starts something or points elsewhere, however common it is.
 */
export const WORDS = set(`
a able about absolute accent across actual add additional adjust adult advanced advice aesthetic after afternoon again agree ahead alert algorithm
align all almost along already also alternative although am among amount an analysis and angle animal animation another answer any anybody anyone
anything appear apple approach appropriate april architecture are area aren't argue argument around arrange array arrival arrow art article as aspect
assert assume at attempt attention attribute august auth authentication author autumn average avoid aware back backend background badge balance
balanced ball bar base basic basis basket batch be beautiful because become been begin beginner behave behavior behaviour behind being believe belong
beside best better between beyond big birthday bit black blue blueprint board body bold boolean border boring bottom bound boundary box bracket bread
breakfast brief bright brown bubble buffer bug build built bullet busy but button by cache calculate calendar came camel can capital capitalise
capitalize caption card care careful carousel carry cart case catalog catalogue category cell center central centre century certain chain chance
chapter character chart chat check checkbox checklist checkout child children choice choose choosing circle city class classic clause clever click
clock code codebase coffee cold collect collection colon color colored colour colours column combine come comfortable comma comment common compare
comparison compatible complete complex component comprehensive concept concern concise condition confirm confirmation confuse consider consistent
constant contain content context continue contrast control convenient convention conversation copy core corner correct could couldn't count counter
country couple course cover coverage create creation criteria curious current cursor curve custom cycle daily dark dashboard dashed data database date
day decade december decide decides decimal decision decline deep default define definition degree delay demo dense density depth describe description
design designed detail detailed details determine develop developer diagram dialog did didn't difference different difficult digit dinner direction
discuss discussion display distance divide do doc docs document documentation does doesn't doing don't done dot double doubt draft draw drawer drawn
duration during each early easier east easy edge edit editor effect effort eight eighteen elegant element eleven ellipsis else emoji emphasis english
enjoy enough entire entry enum equal error escape especially essential etc even evening event ever every evidence exact exactly example excellent
except exception exciting exclude exercise exist exit expand expect expected experience explain explanation explicit explore export express expression
extend extensive extra eye face fact factor fair fallback false familiar family famous far fast faster favorite favourite feature february feel few
field fifteen fifth fifty figure file files filter final find fine finish first fit five flag flat flavor flexible float floor flow flower focus
follow font food foot footer for form formal format formatted formatter formatting forty forward found four fourth fraction frame framework friday
friendly from front frontend fruit full fully fun function functional funny further future gallery game gap garden general generate generic gentle get
glad glass global glossary go goal goes going good got gradient grammar graph gray great green greet greeting grey grid group grow grown guess guide
habit had half handle handler happen happy has hasn't have haven't he header heading headline heart heavy height hello help helper helpful her here
hero hi hidden hide high highlight hint his honest horizontal hot hour hover how however humor hundred hyphen i i'd i'll i'm icon idea ideal identical
if illustration image imagine implement implementation implicit important improve in inbox inch include including increase indent indentation
independent index indicate individual informal information inherit initial inline inner input inside inspect instead instruction integer integration
interactive interest interesting interface internal interval into introduction invalid is isn't italic item iterate january job journey july june just
kebab keep kept keyboard keyword kilometer kilometre kind know knowledge known label landscape language large larger largest last late later latest
layer layout lead leaf learn least leave left legend lemon length less lesson let let's letter library light lightweight like likely line linear link
list little loader loading local locale locals location logic login logo long longer longest look looks loop lot loud low lowercase lunch made magic
maintain major make manual many map march margin markdown match material math matter maximum may maybe me meal mean meaning measure medium member
memory mention menu message meter method metre metric middle might mild mile milestone million mind minimal minimalist minimum minor minute minutes
mirror miss missing mistake mix mixed mock mockup modal moderate modern module moment monday monospace month mood more morning most motion mouse mouth
much multiple must my name named naming narrow native natural navigation near neat necessary need negative neither nested neutral new newest next nice
nine nineteen ninety no nobody none noon nope nor normal north not note noted notes nothing notice noun november now number numeric object observe
obvious occur october odd of often ok okay on once one only onto opacity opinion optimistic optimize option optional or orange orders ordinary
organize orientation original other otherwise our outcome outer outline output oval overall overlay overview padding page pagination paint pair
palette panel paper paragraph parallel parameter parent parse parser part partial pass passing past pastel pattern pear pen pencil per percent perfect
performance perhaps period phase photo phrase pick picker picture piece pink pixel place placeholder plain planet plant plate playful please plenty
plural point polish polite popular popup portrait position positive possible practical practice precise precision prefer preference preferred prefix
prepare presence present presentation preset pretty preview primary primitive priority probably problem proceed product products professional progress
project prompt proper property prose prototype provide purple purpose quality quarter query question queue quick quiet quite quotation quote quotes
radio radius rain random range rapid rare rather ratio raw read readability readable reader readme ready realistic really reason reasonable recent
recipe recommend recommended rectangle red refactor reference regex regular relate related relation relative relevant reliable remember render repeat
represent require required requirement requirements research resize resolve responsive result return reuse review revise rhythm rice rich right ring
roadmap robust role round rounded row rule salad salt sample sandwich saturday save saved scale scatter scene schema scope score screen scroll search
season second seconds section see seem seen select selection selector semantic semicolon sense sensible sentence separate separator september sequence
series serif server session set setting settings seven seventeen several shade shadow shall shape she shop short shortcut shorter shortest should
shouldn't show shown side sidebar similar simple simpler simplest simply since single situation six sixteen size sketch sleek slider slow slower small
smaller smallest smart smooth snake so soft solid solution some somebody someone something sometimes somewhat song soon sort sound sounds soup source
south spaces spacing special specific specification specify speed spell spelling split sport spot spring square stack stage stand standard star start
state statement static status stay sticky still storage store stored story straight strange strategy strict string striped strong structure structured
study style styles styling subject subset subtle success successful suffix sugar suggest suit suitable sum summary summer sunday support supported
sure surface sweet symbol symmetric synonym syntax tab table tables tablet tabs tall target task taste tea teach technical template ten tense terse
test tested testing tests text than thank thanks the theme themed then theory there thick thin think third thirteen thirty thorough thought thousand
three threshold throughout thumbnail thursday tie time timeline times tint tiny title to toast today together toggle tomato tomorrow tone too tool
toolbar tooltip top topic total touch toward trailing transition translate translation transparent tree triangle trolley true try tuesday turquoise
twelve twenty twice two type typed types typical typo typography under underline understand unicode uniform unique unit units universal unless up
upper uppercase us use used useful user users utility valid validate validation value values vanilla variable variant vary verb verbose verify version
vertical very via vibe video view violet visual vocabulary voice wait want warm warn warning was wasn't water watercolor way ways we we'd we'll we're
we've weak weather wednesday week weekend weekly weight welcome well were weren't west wet what what's when where whether which while white whitespace
who whole whose why wide wider width will window winter with within won't wood word wording words work workflow workflows workout worth would wouldn't
wrap wrapper write written wrong yeah year yearly yellow yep yes yet you you'd you'll you're your yours zebra zone zoom
`);
