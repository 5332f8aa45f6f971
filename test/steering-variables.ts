import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Where traps lie on a host. */
export const traps = "/tmp/steering";
/** What a trap leaves when it works. Nothing else makes these. */
export const sprung: readonly string[] = ["loaded", "written", "cache/*/*"].map((name) => `${traps}/${name}`);

export type Steering = {
  readonly name: string;
  /** Set to this it does its worst, where nothing ends it. */
  readonly value: string;
  /** What remains although the program starts itself again: the runtime acts on it before a line of the program runs. */
  readonly remains?: "ends the program" | "lines on stderr";
  /** It does no harm in a unit, and an administrator may have a reason to set it there. */
  readonly units?: "let it be";
};

/** A named pipe holds up whoever reads it, until the test gives up. */
const pipe = `${traps}/pipe`;
const tables = `${traps}/tables`;

/** By what the runtime, and what is in it, can be steered, in the order of SECURITY.md: it names them all. */
export const steeringVariables: readonly Steering[] = [
  { name: "NODE_OPTIONS", value: `--require=${traps}/script.cjs` },
  { name: "NODE_PATH", value: traps },
  { name: "OPENSSL_CONF", value: `${traps}/openssl.cnf` },
  { name: "OPENSSL_MODULES", value: traps },
  { name: "OPENSSL_ENGINES", value: traps },
  { name: "NODE_V8_COVERAGE", value: `${traps}/written`, remains: "lines on stderr" },
  { name: "NODE_REDIRECT_WARNINGS", value: `${traps}/written` },
  { name: "NODE_PENDING_DEPRECATION", value: "1" },
  { name: "NODE_NO_WARNINGS", value: "1" },
  { name: "NODE_COMPILE_CACHE", value: `${traps}/cache` },
  { name: "NODE_DEBUG", value: "http,net,tls,module,fs,child_process" },
  { name: "NODE_DEBUG_NATIVE", value: "CRYPTO,HTTP2,INSPECTOR_SERVER", remains: "lines on stderr" },
  { name: "NODE_ICU_DATA", value: tables },
  { name: "ICU_TIMEZONE_FILES_DIR", value: `${traps}/nothing` },
  { name: "RESOLV_HOST_CONF", value: "/etc/shadow" },
  { name: "RES_OPTIONS", value: "attempts:0" },
  { name: "LOCALDOMAIN", value: "elsewhere.test" },
  { name: "HOSTALIASES", value: pipe },
  { name: "NODE_EXTRA_CA_CERTS", value: pipe },
  { name: "NODE_USE_SYSTEM_CA", value: "1" },
  { name: "NODE_TLS_REJECT_UNAUTHORIZED", value: "0" },
  { name: "NODE_USE_ENV_PROXY", value: "1" },
  { name: "SSL_CERT_FILE", value: pipe },
  { name: "SSL_CERT_DIR", value: `${traps}/nothing` },
  { name: "NODE_CHANNEL_FD", value: "0" },
  { name: "NODE_UNIQUE_ID", value: "1" },
  { name: "NODE_REPL_EXTERNAL_MODULE", value: `${traps}/script.cjs`, remains: "ends the program" },
  { name: "SIMDUTF_FORCE_IMPLEMENTATION", value: "none", remains: "ends the program" },
  { name: "OPENSSL_ia32cap", value: "0:0" },
  { name: "UV_THREADPOOL_SIZE", value: "1", units: "let it be" },
  { name: "UV_USE_IO_URING", value: "1", units: "let it be" },
  { name: "TZ", value: `:${traps}/nothing`, units: "let it be" },
];

/** A library, a script, a configuration, a pipe, and a table in the places where each is looked for. */
export const layTraps: string = `rm -rf ${traps} && mkdir -p ${tables}/icudt78l && cd ${traps}
mkfifo pipe && cp -a pipe ${tables}/icudt78l/cnvalias.icu && cp -a pipe ${tables}/icudt78l/zoneinfo64.res
echo 'require("fs").writeFileSync("${traps}/loaded", "")' >script.cjs
printf '%s\\n' 'nodejs_conf = i' 'openssl_conf = i' [i] 'providers = p' [p] 'trap = t' [t] 'module = /tmp/trap.so' 'activate = 1' >openssl.cnf`;

/** Of the library that the configuration names: loaded is enough. */
export const trapSource: string = `#include <stdio.h>
__attribute__((constructor)) static void spring(void) { FILE *mark = fopen("${traps}/loaded", "w"); if (mark) fclose(mark); }`;

export const securityPage: string = readFileSync(join(import.meta.dirname, "../SECURITY.md"), "utf8");

/** The names in its table. */
export function documentedVariables(): readonly string[] {
  const [, table = ""] = /\n## What variables can do\n[^]*?\n\| variable [^]*?\n((?:\|.*\n)+)/.exec(securityPage) ?? [];
  return table.split("\n").flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].map(([, name]) => name!));
}
