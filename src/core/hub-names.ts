/** The group of all members, which needs not to be made. */
export const EVERYBODY = "everybody";
/** What a policy is about besides the kinds of Asks: work that is given from the hub. */
export const TASK_KIND = "task";
