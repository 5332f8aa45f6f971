/** apt holds the first one throughout; dpkg holds both while it works. */
export const dpkgLocks: readonly string[] = ["/var/lib/dpkg/lock-frontend", "/var/lib/dpkg/lock"];

/** apt and dpkg take them one after the other; each one blocks a transaction. */
export const aptLocks: readonly string[] = [...dpkgLocks, "/var/cache/apt/archives/lock", "/var/lib/apt/lists/lock"];
