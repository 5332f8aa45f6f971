/** apt holds the first throughout. dpkg holds both while it works. */
export const dpkgLocks: readonly string[] = ["/var/lib/dpkg/lock-frontend", "/var/lib/dpkg/lock"];

/** apt and dpkg take these one after the other. Each of them blocks a transaction. */
export const aptLocks: readonly string[] = [...dpkgLocks, "/var/cache/apt/archives/lock", "/var/lib/apt/lists/lock"];
