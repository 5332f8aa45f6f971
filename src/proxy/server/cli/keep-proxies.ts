import { existsSync } from "node:fs";
import { Fault } from "../../../rules/fault/fault.ts";
import { shellWord } from "../../../rules/text/shell-word.ts";
import { writeFileAtomically } from "../../../machine/files/write-file.ts";
import { readEnvironmentFile } from "../../../machine/network/environment-file.ts";
import { proxyVariablesIn, type ProxyVariables } from "../../../rules/route/route.ts";
import { environmentFile } from "../../../rules/settings/environment-file.ts";
import type { ServerContext } from "./called.ts";

export type KeepOptions = { readonly from: string; readonly to: string };

/**
 * Copies the proxies before each start of the unit, from a file that another user may own, into a file of root that systemd reads. If systemd read
 * the first file itself, its owner could make systemd, and so the whole host, wait. If the file cannot be read at once, the last proxies stay.
 */
export function keepProxies({ from, to }: KeepOptions, { log }: Pick<ServerContext, "log">): number {
  const reading = readEnvironmentFile(from);
  switch (reading.kind) {
    case "read":
      write(to, proxyVariablesIn(reading.variables));
      return 0;
    case "missing":
      write(to, {});
      return 0;
    case "denied":
    case "refused": {
      const why = reading.kind === "denied" ? "this user may not read it" : reading.why;
      if (!existsSync(to)) throw nothingKept(from, why);
      log("warning", "the proxies are those last read: the environment file cannot be read", { path: from, why });
      return 0;
    }
  }
}

/** Only root may read the file, because proxies may hold passwords. */
function write(path: string, proxies: ProxyVariables): void {
  writeFileAtomically(path, environmentFile(proxies), { root: "/", mode: 0o600, missing: "make", fault: "file-failed" });
}

/** Without the kept proxies, the server would bypass the configured ones. */
function nothingKept(from: string, why: string): Fault {
  const path = shellWord(from);
  return new Fault("proxies-unread", {
    message: `${from} cannot be read, and no proxies were read before: ${why}`,
    hint: `put a file of root's in its place: \`sudo mv ${path} ${path}.old && sudoedit ${path}\``,
  });
}
