/** Half of the time that an updater waits for us, because an updater's first request may have to wait for the upstream. */
export const wholeMs = 10_000;
export const connectMs = 5000;
/** A version has 128 characters at most; white space around it may be generous. */
export const longestBodyBytes = 1024;
