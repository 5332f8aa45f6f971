/**
 * Variables by which the runtime, and the libraries in it, load, write, print or trust what a user names. SECURITY.md has them one
 * by one, and a system test sets each. A prefix stands for all of its kind: a newer runtime may know more of them.
 */
const steering = /^(?:NODE_|OPENSSL_|ICU_|SIMDUTF_|(?:RESOLV_HOST_CONF|RES_OPTIONS|LOCALDOMAIN|HOSTALIASES)$)/;

/** The process, which the entry file alone may ask for these. */
type Started = Pick<NodeJS.Process, "argv0" | "argv" | "env" | "execPath" | "execve" | "getBuiltinModule">;

/**
 * The runtime reads most of its variables before the first line of a program, so taking them out of the environment then would be
 * too late: where there is one, the same process begins again without them. What cannot wait for that is built into the executable.
 */
export function startAnew(started: Started): void {
  if (!Object.keys(started.env).some((name) => steering.test(name))) return;
  // From source, the runtime's variables are the developer's own.
  if (started.execve === undefined || !started.getBuiltinModule("node:sea").isSea()) return;
  // What it has counted is written when a program is left for another, too. It says on stderr that there is nothing to write.
  if (started.env["NODE_V8_COVERAGE"] !== undefined) started.getBuiltinModule("node:v8").stopCoverage();
  const kept = Object.entries(started.env).filter(([name]) => !steering.test(name));
  started.execve(started.execPath, [started.argv0, ...started.argv.slice(2)], Object.fromEntries(kept));
}
