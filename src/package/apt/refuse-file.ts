import { Fault } from "../../fault/fault.ts";
import { quote } from "../../fault/quote.ts";
import { inspectArgv } from "./argv.ts";
import type { AptCalls } from "./calls.ts";
import { dpkgFault } from "./failure.ts";
import { installedFrom } from "./installed.ts";
import { rehearseFileArgv, simulateFileArgv, type FileChange } from "./offline-argv.ts";
import { parsePlan } from "./plan.ts";
import { databaseBelow } from "./below-root.ts";

/** What a sentence of dpkg or apt may take of a message. */
const longestSentence = 200;

/**
 * Refuses what apt would refuse in an installation from a repository. dpkg by itself overrides a hold, removes what the file
 * conflicts with and replaces, and looks at nobody who depends on the package.
 */
export async function refuseFile(calls: Pick<AptCalls, "ask" | "actOffline">, wanted: FileChange): Promise<void> {
  const { change } = wanted;
  if (change.hold === "none" && (await isHeld(calls, wanted))) throw refused(wanted, `would lift the hold on ${change.name}`);
  const { status, stdout, output } = await calls.ask(simulateFileArgv(wanted));
  const reason = status === 0 ? undefined : reasonIn(output, change.name);
  if (reason !== undefined) throw refused(wanted, `fails: ${quote(reason.trim(), longestSentence)}`);
  const removed = status === 0 ? parsePlan(stdout).removed : await rehearse(calls, wanted);
  if (removed.length > 0) throw refused(wanted, `would remove ${removed.join(", ")}`);
}

async function isHeld({ ask }: Pick<AptCalls, "ask">, { root, change: { name } }: FileChange): Promise<boolean> {
  const installed = installedFrom(await ask(inspectArgv(name, databaseBelow(root))), name);
  return installed.kind === "present" && installed.isHeld;
}

/**
 * What speaks against the file itself. Where anything else of the host lacks something, or what is half installed of the package,
 * apt makes no plan at all: that is no reason.
 */
function reasonIn(output: string, name: string): string | undefined {
  if (/^E: Unmet dependencies/m.test(output)) return undefined;
  const lines = output.split("\n");
  return lines.find((line) => line.startsWith(` ${name} : `) || line.startsWith("E: Packages were downgraded"));
}

/** What dpkg would remove. It looks into the file as only root with all its rights can, so this is a transaction too. */
async function rehearse({ actOffline }: Pick<AptCalls, "actOffline">, wanted: FileChange): Promise<readonly string[]> {
  const { status, output } = await actOffline(rehearseFileArgv(wanted), `rehearse dpkg --install ${wanted.file}`);
  if (status !== 0) throw refusedByDpkg(wanted, output);
  const isSkipped = /^dpkg: will not downgrade .*$/m.exec(output);
  if (isSkipped !== null) throw refused(wanted, `fails: ${quote(isSkipped[0], longestSentence)}`);
  return [...output.matchAll(/^dpkg: yes, will remove (\S+) in favour of /gm)].map(([, name = ""]) => name);
}

function refusedByDpkg(wanted: FileChange, output: string): Fault {
  const fault = dpkgFault(output, `--no-act --install ${wanted.file}`);
  return fault.code === "install-failed" ? planRefused(wanted, fault.message) : fault;
}

function refused(wanted: FileChange, would: string): Fault {
  return planRefused(wanted, `installing ${wanted.change.name} ${wanted.change.to} from its file ${would}`);
}

function planRefused({ file }: FileChange, message: string): Fault {
  return new Fault("plan-refused", { message, hint: `look at the whole plan with \`apt-get -s install ${file}\`` });
}
