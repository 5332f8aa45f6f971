import { Fault } from "../../../rules/fault/fault.ts";
import type { RpmCalls } from "../rpm/calls.ts";
import type { Download } from "../rpm/fetch.ts";
import { packageVersionOf } from "../rpm/version.ts";
import { downloadArgs, exactly } from "./argv.ts";
import type { YumCalls } from "./calls.ts";
import { yumFault } from "./failure.ts";
import { actWhenFree, type Waiting } from "./wait.ts";

export type DownloadEffects = {
  readonly calls: Omit<YumCalls, "act" | "ask" | "removeCaches">;
  readonly rpm: Pick<RpmCalls, "rows">;
  readonly waiting: Waiting;
  /** Where dnf keeps lists and packages, with a directory for each repository. */
  readonly cache: string;
};

/** dnf keeps a package in its cache until the next successful transaction, so its files are looked for there. */
export function downloadByYum({ calls, rpm, waiting, cache }: DownloadEffects): Download {
  return async ({ name, version }, into) => {
    const wanted = { name, to: version };
    const isThere = (await rpm.rows(name)).some((row) => packageVersionOf(row) === version);
    const { ignored } = await calls.repositories();
    const directory = into === "cache" ? undefined : into.directory;
    // dnf finds nothing to do if it is asked to install an installed package.
    const verb = isThere ? "reinstall" : "install";
    const args = downloadArgs(verb, wanted, { ignored, directory });
    const { program } = calls;
    const { status, output } = await actWhenFree({ program, waiting, what: `download ${exactly(wanted)}` }, (what) =>
      calls.download(args, what, directory),
    );
    if (status === 0) return [directory ?? cache];
    const fault = yumFault(output, { program, command: `${verb} --downloadonly ${exactly(wanted)}` });
    if (fault.code !== "install-failed") throw fault;
    throw new Fault("download-failed", { message: fault.message, hint: fault.hint, cause: fault });
  };
}
