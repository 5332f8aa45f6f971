import type { Build } from "../../../rules/decide/gate-facts.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";
import type { PackageVersion } from "../../../rules/version/wrapped.ts";
import { fileSizeArgs } from "./argv.ts";
import type { YumCalls } from "./calls.ts";
import { answerTo } from "./failure.ts";

/** dnf shows a file's size, but not its checksum. */
export async function askBuild(
  calls: Pick<YumCalls, "ask" | "program">,
  wanted: { readonly name: PackageName; readonly to: PackageVersion },
): Promise<Build> {
  return buildFrom((await answerTo(calls, fileSizeArgs(wanted), `repoquery ${wanted.name}`)).stdout);
}

/** Unknown if repositories offer different files of one version, because dnf could install either. */
export function buildFrom(output: string): Build {
  const sizes = new Set(output.split("\n").filter((line) => /^\d{1,15}$/.test(line)));
  const [only] = sizes;
  return { sha256: undefined, bytes: sizes.size === 1 ? Number(only) : undefined };
}
