import type { PackageName } from "../../../rules/settings/settings.ts";
import { zypperArgv } from "./argv.ts";
import { withCallDirectory } from "./call-directory.ts";
import type { ZypperArguments } from "./calls.ts";
import { configurationEnvironment, configurationFile } from "./configuration.ts";
import type { RepositoryFile } from "./repositories.ts";
import { unheldFiles } from "./unheld.ts";

/** What a call sees instead of the host's own files. */
export type ShownCall = {
  readonly root: string;
  /** The call ignores the hold of this package. */
  readonly unheld: PackageName | undefined;
  /** Empty means the host's own repositories. */
  readonly repositories: readonly RepositoryFile[];
  readonly network: "used" | "unused";
};

type Call = {
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
};

/** Writes these files into a directory for the time of the call. */
export function withCall<T>(shown: ShownCall, args: ZypperArguments, work: (call: Call) => Promise<T>): Promise<T> {
  const { root, unheld, repositories, network } = shown;
  if (network === "unused" && unheld === undefined && repositories.length === 0)
    return work({ argv: zypperArgv({ root }, args), env: {} });
  return withCallDirectory(
    root,
    (directory) => ({
      ...(unheld === undefined ? configurationFile(undefined) : unheldFiles(root, unheld, directory)),
      ...Object.fromEntries(repositories.map(({ name, text }) => [`repos.d/${name}`, text])),
    }),
    (directory) => {
      const where = repositories.length === 0 ? { root } : { root, repositories: `${directory}/repos.d` };
      return work({ argv: zypperArgv(where, args), env: configurationEnvironment(directory) });
    },
  );
}
