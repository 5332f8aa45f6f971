import { Fault } from "../../../rules/fault/fault.ts";
import { quote } from "../../../rules/text/quote.ts";
import type { Planned } from "../manager/manager.ts";

/** What a package file says that it is; undefined if it is no package for this machine. */
export type PackageFile = { readonly path: string; readonly is: Planned | undefined };

/** Refuses a file whose own name and version differ from what it was fetched as. */
export function refuseMislabelled(planned: readonly Planned[], files: readonly PackageFile[]): void {
  const stranger = files.find(({ is }) => !planned.some((one) => isSame(one, is)));
  const missing = planned.filter((one) => !files.some(({ is }) => isSame(one, is)));
  if (stranger === undefined && missing.length === 0) return;
  const wanted = (missing.length === 0 ? planned : missing).map(told).join(" or ");
  const found =
    stranger === undefined ? "no file of it was fetched" : `${quote(stranger.path, longestPath)} is ${tellFile(stranger)}`;
  throw new Fault("package-mislabelled", {
    message: `nothing was installed: the repository offers ${wanted}, and ${found}`,
    hint: "have the repository corrected, or its list regenerated; until then nothing of it is installed",
  });
}

const longestPath = 200;
const longestName = 80;

function isSame(planned: Planned, found: Planned | undefined): boolean {
  if (found === undefined || planned.name !== found.name || planned.version !== found.version) return false;
  return planned.architecture === undefined || planned.architecture === found.architecture;
}

function tellFile({ is: found }: PackageFile): string {
  return found === undefined ? "no package for this host" : told(found);
}

function told({ name, version, architecture }: Planned): string {
  return [name, version, ...(architecture === undefined ? [] : [`(${architecture})`])]
    .map((part) => quote(part, longestName))
    .join(" ");
}
