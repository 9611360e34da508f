/** The group of all members, which needs not to be made. */
export const EVERYBODY = "everybody";
