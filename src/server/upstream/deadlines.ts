/** Half of what an updater waits for us: its first question may have to wait for this one. */
export const wholeMs = 10_000;
export const connectMs = 5000;
export const longestHeaderBytes: number = 8 * 1024;
/** A version has 128 characters at most; white space around it may be generous. */
export const longestBodyBytes = 1024;
/** As many as an updater follows. */
export const mostRedirects = 3;
