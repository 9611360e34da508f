/** Something broke, where 1 is an answer. */
export const FAILED = 70;

/** `parley confirm` says no with 1: what fails there must not read as an answer. */
export const failureCode = (command: string, code: number): number =>
  command === "confirm" && code <= 1 ? FAILED : code;
