/** apt holds the first of them from its beginning to its end, dpkg both while it works. */
export const dpkgLocks: readonly string[] = ["/var/lib/dpkg/lock-frontend", "/var/lib/dpkg/lock"];

/** apt and dpkg take one after the other; each alone keeps a transaction from starting. */
export const aptLocks: readonly string[] = [...dpkgLocks, "/var/cache/apt/archives/lock", "/var/lib/apt/lists/lock"];
