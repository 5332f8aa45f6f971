/**
 * Variables by which a user can make the runtime or its libraries load, write, print or trust something. SECURITY.md lists them, and a system test
 * sets each. Prefixes cover kinds of which a newer runtime may know more.
 */
const steering = /^(?:NODE_|OPENSSL_|ICU_|SIMDUTF_|(?:RESOLV_HOST_CONF|RES_OPTIONS|LOCALDOMAIN|HOSTALIASES)$)/;

/** The process; only the entry file uses it. */
type Started = Pick<NodeJS.Process, "argv0" | "argv" | "env" | "execPath" | "execve" | "getBuiltinModule">;

/**
 * Executes the program again without these variables, if one is set. The runtime reads most of them before a program's first line, so removing them
 * then is too late. For those that cannot wait even for that, the executable has built-in settings.
 */
export function startAnew(started: Started): void {
  if (!Object.keys(started.env).some((name) => steering.test(name))) return;
  // From source, the runtime's variables are the developer's own.
  if (started.execve === undefined || !started.getBuiltinModule("node:sea").isSea()) return;
  // Stops coverage, which is also written when a process executes another program, and complains on stderr without data.
  if (started.env["NODE_V8_COVERAGE"] !== undefined) started.getBuiltinModule("node:v8").stopCoverage();
  const kept = Object.entries(started.env).filter(([name]) => !steering.test(name));
  started.execve(started.execPath, [started.argv0, ...started.argv.slice(2)], Object.fromEntries(kept));
}
