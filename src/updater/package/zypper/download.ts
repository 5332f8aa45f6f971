import { Fault } from "../../../rules/fault/fault.ts";
import type { Download } from "../rpm/fetch.ts";
import { downloadArgs } from "./argv.ts";
import type { ZypperCalls } from "./calls.ts";
import { zypperFault, type FailedZypper } from "./failure.ts";

/** 106 means that zypper left out a repository. The fetched files are good anyway. */
export const mayBeDone: readonly number[] = [0, 106];

/** Only the output shows a failed download: zypper exits with success, and may leave a part of a file. */
const failed = /^(?:Warning: )?Argument resolves to no package|^Failed to provide Package|ABORT request|error\]\s*$/m;

/** Uses `zypper download`, which makes no plan, so locks and dependencies do not matter. */
export function downloadByZypper(calls: Pick<ZypperCalls, "download" | "fetched">, cache: string): Download {
  return async (wanted, into) => {
    const { directory, manner } = into === "cache" ? ({ directory: undefined, manner: "quietly" } as const) : into;
    const typed = `download ${wanted.name}=${wanted.version}`;
    const args = downloadArgs(wanted, { aliases: calls.fetched(), directory, manner });
    const ended = await calls.download(args, typed, directory);
    if (mayBeDone.includes(ended.status) && !failed.test(ended.output)) return [directory ?? cache];
    throw failedDownload(ended, typed);
  };
}

/** A failed download installs nothing, so it is never the fault `install-failed`. */
export function failedDownload(ended: FailedZypper, typed: string): Fault {
  const fault = zypperFault(ended, typed);
  if (fault.code !== "install-failed") return fault;
  return new Fault("download-failed", { message: fault.message, hint: fault.hint, cause: fault });
}
