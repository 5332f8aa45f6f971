import { Fault } from "../../../rules/fault/fault.ts";
import type { PackageVersion } from "../../../rules/version/wrapped.ts";
import type { Change, FileSet } from "../manager/manager.ts";
import type { RpmCalls } from "./calls.ts";
import { mayBeSeveral } from "./installed.ts";
import { compareRpmVersions } from "./order.ts";

/** Refuses files that replace another package, which rpm would remove without asking. */
export async function refuseRemovals({ ask }: Pick<RpmCalls, "ask">, { name, to }: Change, files: FileSet): Promise<void> {
  const removed = await removedBy(ask, files);
  if (removed.length === 0) return;
  throw new Fault("plan-refused", {
    message: `installing ${name} ${to} from its file would remove ${removed.join(", ")}`,
    hint: `see what it takes the place of with \`rpm -qp --obsoletes ${files.map(({ path }) => path).join(" ")}\``,
  });
}

/** The installed packages that the files would replace. A package among the files is installed again, but of several versions only one. */
export async function removedBy(ask: RpmCalls["ask"], files: FileSet): Promise<readonly string[]> {
  const format = "[%{OBSOLETENAME}\\t%{OBSOLETEFLAGS:depflags}\\t%{OBSOLETEVERSION}\\n]";
  const paths = files.map(({ path }) => path);
  const obsoleted = parseObsoletes((await ask(["-qp", "--nosignature", "--qf", format, ...paths])).stdout);
  const members = new Set<string>(files.map(({ name }) => name));
  const others = [...new Set(obsoleted.map((one) => one.name))].filter((other) => !members.has(other));
  const several = files.filter(({ name }) => mayBeSeveral(name)).map(({ name }) => `other versions of ${name}`);
  if (others.length === 0) return several;
  const there = parseVersions((await ask(["-q", "--qf", "%{NAME}\\t%{EPOCHNUM}:%{VERSION}-%{RELEASE}\\n", ...others])).stdout);
  const removed = there.filter((found) => obsoleted.some((one) => one.name === found.name && covers(one, found.version)));
  return [...several, ...new Set(removed.map((found) => found.name))];
}

/** What a package replaces: `companion < 2`, or any version if there is no order. */
export type Obsoleted = { readonly name: string; readonly order: string; readonly version: string };

export function parseObsoletes(printed: string): readonly Obsoleted[] {
  return printed.split("\n").flatMap((line) => {
    const [name = "", order = "", version = ""] = line.split("\t").map((field) => field.trim());
    return name === "" ? [] : [{ name, order, version }];
  });
}

/** Whether rpm counts an installed version as replaced. A version without a release matches any release. */
export function covers({ order, version }: Obsoleted, installed: string): boolean {
  if (order === "" || version === "") return true;
  const comparable = version.includes("-") ? installed : installed.replace(/-[^-]*$/, "");
  const compared = compareRpmVersions(comparable as PackageVersion, version as PackageVersion);
  if (compared === 0) return order.includes("=");
  return order.includes(compared < 0 ? "<" : ">");
}

function parseVersions(printed: string): readonly { readonly name: string; readonly version: string }[] {
  return printed.split("\n").flatMap((line) => {
    // For a missing package rpm prints a sentence instead of a row.
    const [name = "", version] = line.split("\t");
    return version === undefined ? [] : [{ name, version }];
  });
}
