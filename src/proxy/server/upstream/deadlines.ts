/** Half of an updater's wait for us: its first request may have to wait for this one. */
export const wholeMs = 10_000;
export const connectMs = 5000;
/** A version has 128 characters at most; white space around it may be generous. */
export const longestBodyBytes = 1024;
