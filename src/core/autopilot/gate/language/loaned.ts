import { set } from "./language.ts";

/** English words that questions in other languages are full of; each by itself harmless there. */
const LOANED = set(`
api app array avatar badge banner boolean box browser bug button buttons chart checkbox code component components cookie css dark light dashboard
debug default design dialog dropdown editor emoji enum feature features feedback filter flag float font footer framework frontend backend full grid header hover html icon
icons input integer interface interactive item items json layout lazy library link links linter list loader loading locale loop markdown menu mobile mock mocks modal mode module mvp navbar
null object offset option options overlay padding panel parser pixel placeholder popup prefix preview prototype query readme refactor refactoring regex render responsive
 router scroll serif sidebar slider slug snippet sort sprint standard state story string style styling svg syntax tab tabs tailwind template test tests testing text theme
thumbnail timeout toast toggle toolbar tooltip tree typescript ui undefined unicode unit url utf ux validator version video web widget workflow wrapper yaml zoom happy path
camelcase snakecase kebabcase pascalcase todo ok okay
`);

/** Also with a plural, and words of the names that functions have. */
export function isLoaned(token: string): boolean {
  const word = token.toLowerCase();
  return LOANED.has(word) || (word.endsWith("s") && LOANED.has(word.slice(0, -1))) || OF_NAMES.has(word);
}
const OF_NAMES = set(`
get set is has calculate total sum all format parse render count find show create build make map list item value name date time number string first last to from by
`);
