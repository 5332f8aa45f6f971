import { basename, dirname } from "node:path";
import { Fault } from "../fault/fault.ts";
import { errnoOf } from "../host/errno.ts";
import { barredFault, reach, type NotReached } from "../host/reach.ts";
import { writeFileAtomically } from "../host/write-file.ts";

/**
 * Readable by everyone: the collector runs as a user of its own, and there is no secret in it.
 *
 * The directory may belong to that user, who is reachable from the network. What a hostile owner can do: show other metrics, or
 * none; and turn the directory, or one above it, into a link. Then a file of this name, with metrics in it, appears where the
 * link leads. It is never written through a link that has the name itself, and no state is ever lost to it, because a setting
 * lets the name end in `.prom` only. In the unit's sandbox a link leads to nothing that can be written but our own directories, and
 * on no way a file system of another user's is entered.
 */
export function writeMetrics(path: string, text: string): void {
  const directory = dirname(path);
  const written = reach(directory, "follow", (place) => {
    try {
      writeFileAtomically(`${place}/${basename(path)}`, text, { mode: 0o644, fault: "file-failed" });
    } catch (thrown) {
      throw thrown instanceof Fault ? asWritten(path, { thrown, place }) : thrown;
    }
  });
  if (written !== undefined) throw notReached(path, written);
}

/** Under the name that everybody knows it by. */
function asWritten(path: string, { thrown, place }: { readonly thrown: Fault; readonly place: string }): Fault {
  const directory = dirname(path);
  const message = thrown.message.replace(place, directory);
  const isElsewhere = ["EROFS", "EACCES", "EPERM"].includes(errnoOf(thrown.cause) ?? "");
  const hint = isElsewhere ? leadThere(path) : undefined;
  return new Fault(thrown.code, { message, hint: hint ?? thrown.hint.replaceAll(place, directory), cause: thrown.cause });
}

function notReached(path: string, reached: NotReached): Fault {
  if (reached.kind === "barred") return barredFault(path, reached);
  const why = reached.kind === "refused" ? reached.why : { missing: "is missing", denied: "may not be entered" }[reached.kind];
  const message = `${path} could not be written: its directory ${why}`;
  return new Fault("file-failed", {
    message,
    hint: leadThere(path) ?? `look at ls -ld ${dirname(path)} and at the kernel's log, journalctl -k`,
  });
}

const ownDirectory = "/var/lib/svc-upgrade";

/** Almost always it is the sandbox, and then the one way that works whoever owns the collector's directory. */
function leadThere(path: string): string | undefined {
  const directory = dirname(path);
  if (directory === ownDirectory) return undefined;
  const own = `${ownDirectory}/metrics.prom`;
  return `svc-upgrade.service writes below ${ownDirectory} alone: set metrics_file: ${own} and lead the collector there: mkdir -p ${directory} && ln -sf ${own} ${path}`;
}
