import { dirname } from "node:path";
import { Fault } from "../../rules/fault/fault.ts";
import { errnoOf } from "../../machine/files/errno.ts";
import { barredFault, reach } from "../../machine/files/foreign-file.ts";
import { writeFileAtomically } from "../../machine/files/write-file.ts";

/**
 * Writes the metrics so that everyone can read them: the collector has its own user, and they contain no secret. The directory may belong to that
 * user, whom the network can reach. A hostile owner can only show other metrics or none: we follow only root's links, replace a link at the name
 * itself, and never enter another user's file system.
 */
export function writeMetrics(path: string, text: string, root: string): void {
  const reached = reach(dirname(path), "follow", () => undefined);
  if (reached?.kind === "barred") throw barredFault(path, reached);
  try {
    writeFileAtomically(path, text, { root, mode: 0o644, fault: "file-failed" });
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    throw new Fault(thrown.code, { message: thrown.message, hint: hintFor(path, thrown), cause: thrown.cause });
  }
}

/** The metrics are written into `ownDirectory`; `own` is root's symbolic link to that file. */
const ownDirectory = "/var/lib/svc-upgrade-decide";
const own = "/var/lib/svc-upgrade/metrics.prom";

/** The hint for a write error, which is almost always the sandbox's. The link then works for every owner of the collector's directory. */
function hintFor(path: string, { cause, hint }: Fault): string {
  const directory = dirname(path);
  const errno = errnoOf(cause) ?? "";
  if (directory === ownDirectory || !["EROFS", "EACCES", "EPERM", "ENOENT"].includes(errno)) return hint;
  return `the user svc-upgrade may not write there: set \`metrics_file: ${own}\` and lead the collector there: \`sudo mkdir -p ${directory} && sudo ln -sf ${own} ${path}\``;
}
