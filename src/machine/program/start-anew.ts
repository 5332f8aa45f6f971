/**
 * Variables through which a user can make the runtime or its libraries load, write, print or trust something. SECURITY.md lists them, and a system
 * test sets each. A prefix covers its whole kind: a newer runtime may know more of them.
 */
const steering = /^(?:NODE_|OPENSSL_|ICU_|SIMDUTF_|(?:RESOLV_HOST_CONF|RES_OPTIONS|LOCALDOMAIN|HOSTALIASES)$)/;

/** The process; only the entry file uses it. */
type Started = Pick<NodeJS.Process, "argv0" | "argv" | "env" | "execPath" | "execve" | "getBuiltinModule">;

/**
 * The runtime reads most of its variables before a program's first line, so removing them then is too late: if one is set, the process executes
 * itself again without them. The executable has built-in settings against those that cannot wait for that.
 */
export function startAnew(started: Started): void {
  if (!Object.keys(started.env).some((name) => steering.test(name))) return;
  // When the program runs from source, the runtime's variables are the developer's own.
  if (started.execve === undefined || !started.getBuiltinModule("node:sea").isSea()) return;
  // Coverage is also written when a process executes another program; without data that complains on stderr.
  if (started.env["NODE_V8_COVERAGE"] !== undefined) started.getBuiltinModule("node:v8").stopCoverage();
  const kept = Object.entries(started.env).filter(([name]) => !steering.test(name));
  started.execve(started.execPath, [started.argv0, ...started.argv.slice(2)], Object.fromEntries(kept));
}
