import { Fault } from "../../../rules/fault/fault.ts";
import type { Download } from "../rpm/fetch.ts";
import { downloadArgs } from "./argv.ts";
import type { ZypperCalls } from "./calls.ts";
import { zypperFault, type FailedZypper } from "./failure.ts";

/** Repositories that had to be left out take nothing from what was fetched without them. */
export const mayBeDone: readonly number[] = [0, 106];

/** zypper calls it a success, whatever became of it; of a package that it could not fetch whole it even leaves a part there. */
const failed = /^(?:Warning: )?Argument resolves to no package|^Failed to provide Package|ABORT request|error\]\s*$/m;

/** By zypper's own command for it, which makes no plan: so neither locks nor dependencies are in its way. */
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

/** Nothing was installed here, whatever it is that zypper failed at. */
export function failedDownload(ended: FailedZypper, typed: string): Fault {
  const fault = zypperFault(ended, typed);
  if (fault.code !== "install-failed") return fault;
  return new Fault("download-failed", { message: fault.message, hint: fault.hint, cause: fault });
}
