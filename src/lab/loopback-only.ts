/** Nobody listens there: whatever wants to leave this machine fails at once, before a name is looked up. */
const NOWHERE = "http://127.0.0.1:9";

/** For the environment of an agent that shall reach nothing but this machine. */
export const LOOPBACK_ONLY = { HTTP_PROXY: NOWHERE, HTTPS_PROXY: NOWHERE, NO_PROXY: "127.0.0.1,localhost" };
