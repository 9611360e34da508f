import { safeLine } from "./text/text.ts";

/** The group of all members, which needs not to be made. */
export const EVERYBODY = "everybody";
/** What a policy is about besides the kinds of Asks: work that is given from the hub. */
export const TASK_KIND = "task";

/**
 * What a project is called in a hub: its folder's name on one line, as lists show it and as it is typed. Roles, tokens, routes and
 * policies have this one, and every comparison is with it.
 */
export const projectName = (folder: string): string => safeLine(folder);
