import { set } from "./language.ts";

/** What projects are about: food, animals, places, sports, music, books, sciences, colours … Things alone; nobody does anything by naming them. */
export const NOUNS = set(`
abbey acorn actor airplane airport algebra alley almond ambition anniversary ant anthology apartment apricot apron architect arena arm armchair artist
asteroid astronaut astronomy athlete attic attitude avenue avocado azure bacon bacteria badminton baker bakery balcony ballad balloon banana band
barber barley barn baseball basil basketball bass bathroom bathtub battery bay beach bead bean bear beard beat beauty bed bedroom bee beef beekeeper
beer beetle belief bell belt bench berry bicycle bike biography biologist biology bird biscuit bishop bison blackboard blanket blossom blouse boat
bolt bone book bookcase bookshelf bookshop boot botanist botany bottle boulevard bowl bracelet bravery brick bridge broccoli broom brush bulb burgundy
bus bush butcher butter butterfly cabbage cabin cafe cake calculus calmness camera camping campus canal candle candy canoe canyon cap captain car
caravan carnival carpenter carpet carrot cat caterpillar cathedral celebration cellar cello cereal chair chalk championship chapel charm cheek cheese
chef chemist chemistry cherry chess chest chestnut chicken chili chimney chin chocolate choir chord chorus christmas church cinema cinnamon circuit
clarinet classroom clerk cliff climate climber closet cloud clown club coach coast coat coconut coil collar college comet comic compass composer
concert conductor cone contest continent cook cookie copper corn costume cottage couch county courage court cow crab crane crater cream creek cricket
crimson critic crocodile crown cruise crystal cube cucumber cuisine culture cup cupboard curiosity curriculum curry curtain cushion cyclist cylinder
dance dancer dawn deer delight dentist desk dessert detective dial diameter dignity dining dinosaur diploma disc dish district divisor doctor
documentary dog dolphin domino donkey doorbell dough dove dragon drama dream dress drink drone drum duck duet dune dusk eagle ear earring earth easter
eclipse ecology egg elbow electron elegance elephant ellipse emotion empathy encyclopedia energy engineer ensemble envelope enzyme episode equator
exam excitement exhibition explorer exponent fable fabric fairy faith falcon fame fan farm farmer fashion feather fence fencing fern ferry festival
fiddle film finch finger firefighter fireplace fish fisherman fitness flamingo flashlight flight florist flour flute foliage folklore forehead fork
fossil fountain fox friendship frog furniture galaxy garage gardener garlic gas gear gene generosity genetics geography geologist geology ginger
giraffe glacier globe glove goalkeeper goat golf goose gorilla gown grace grade grape grass gratitude gravity greenhouse guitar gym gymnast gyroscope
hair halloween hallway ham hamlet hammock hamster handball happiness harbor harbour harmony harp hat hawk headmaster heat hedgehog helicopter helium
helmet herb heroine hexagon highway hiking hill hinge hip historian hobby hockey holiday homework honesty honey honor horizon horse hospital hotel
house household humility hunter hut hydrogen ice illustrator imagination ingredient inn innocence insect instrument intelligence inventor island
jacket jam janitor jar jaw jazz jeans jellyfish jersey jewel jeweler journalist joy joystick judo juice jungle justice kangaroo kayak kettle khaki
kilogram kindergarten kindness king kingdom kitchen kite kitten knee knife knight knot koala lace ladder lagoon lake lamb lamp lantern laser latitude
laughter lavender lawn leadership league leather lecture leg lens lentil leopard lettuce lever librarian lifeguard lightbulb lighthouse lilac linen
lion lip liquid lizard llama lobster lodge logarithm longitude lorry luck luggage lung lyric lyrics magician magnet magnitude mall mammal mandolin
mango mansion marathon marble mass mathematics mattress mauve mayor meadow meat mechanic medal melody melon merchant mercy metal meteor metro
microscope milk mill miner mineral mint molecule momentum monkey monument moon moose mosque moss moth motor motorbike motorcycle mountain movie mud
mug muscle mushroom musician myth nature nebula neck necklace needle neighborhood neuron newspaper nitrogen noodle nose nostalgia novelist nucleus
nurse nut oasis oat occasion ochre octave octopus oil olive onion opera opponent optimism orbit orchard orchestra orchid organism otter oven owl
oxygen paddle painter pajamas palace palm pan pancake panda panther pantry parable parade park parrot particle passenger passion pasta pastry patience
pavilion pawn peace peach peacock peanut pearl pebble pedal pedestrian pelican pendulum penguin pentagon pepper percussion perimeter personality pet
petal pharmacist philosopher philosophy photograph photographer photon physicist physics pianist piano picnic pig pigeon pillow pilot piston pizza
plane plank play playfulness plaza pleasure plum plumber pocket podium poet poetry pond pony pool portion pot potato potter prairie preface pressure
pride priest prince princess principal prism probability professor prologue proton proverb province pulley pumpkin pupil puppet puppy pyramid quadrant
quantum quartet queen quill quilt rabbit raccoon racket railway raspberry raven reef referee refrigerator rehearsal reindeer reptile restaurant
reunion rib ribbon riddle river robe robin rock rocket romance roof rook rooster rope rose rosemary rowing rubber ruby rug rugby runner sadness
saffron saga sail sailboat sailing sailor salamander sand sandal sapphire satellite satisfaction sauce sausage savanna saxophone scarf scarlet scholar
school scientist scissors scooter sculptor sculpture sea seal seed semester seminar sensor sepia sequel serenity serving shark sheep shelf shepherd
shirt shoe shoemaker shore shoulder shower silence silk sine singer sink sitcom skating ski skier skin skirt sky skyscraper sleeve slope smile snack
snail snooker snow soccer sock sofa soil soldier solo sonata sonnet sphere spice spider spinach spirit spoon squirrel stadium stairs starfish station
statue steak sticker stomach stool storm stove strawberry street submarine suburb subway suitcase summit sun sunlight sunrise sunset supermarket
surfer surgeon swamp swan sweater swimmer swimming syllabus sympathy symphony syrup tailor tale talent tan tape taupe taxi teapot telescope television
temple tennis tent terrain theater theatre theorem thermometer thriller throat thunder tide tiger tissue toad toaster toe toilet tongue tooth topping
tortoise tourist tournament towel tower town toy tradition trailer train tram trampoline translator travel tray trilogy trip tripod trophy trousers
truck trumpet truth tube tulip tuna tundra tune tunnel turbine turkey turtle tutor ukulele umpire universe valley van vase vegetable vehicle velvet
vermilion vertex vest villain vinegar vineyard violin virtue vitamin vocal volcano volleyball voyage waffle wagon waist waiter wall wallpaper walnut
wardrobe waterfall watt wave wedding wetland whale wheat wheel whistle windmill wine winner wisdom wit wolf wool workshop worm wrestling wrist yacht
yard yarn yoga yogurt yoyo zipper zoo zoologist
door doors
`);
