import { shellWord } from "../host/shell-word.ts";
import type { PackageExaminer } from "../package/examiner.ts";
import type { InstalledPackage } from "../plan/facts.ts";
import type { KeptPackage } from "../record/state.ts";
import type { Settings } from "../settings/settings.ts";
import type { PackageVersion } from "../version/wrapped.ts";
import type { Finding } from "./check.ts";

export type PreviousScene = {
  readonly settings: Pick<Settings, "agent" | "keepPrevious">;
  readonly installed: InstalledPackage;
  readonly examiner: Pick<PackageExaminer, "isCached" | "remedies">;
  readonly offers: readonly PackageVersion[];
  /** Those that are still there as passes wrote them down. */
  readonly kept: readonly KeptPackage[];
  /** Where another setting would be written. */
  readonly fragment: string;
};

/** Whether a move could be taken back: to what is installed now. */
export function examinePrevious(scene: PreviousScene): Finding {
  const { settings, installed, kept, offers } = scene;
  const { package: name } = settings.agent;
  if (installed.kind === "absent")
    return { verdict: "skipped", told: `${name} is not installed, so there is nothing to go back to` };
  const { packageVersion } = installed;
  if (settings.keepPrevious === "never") return { verdict: "ok", told: "keep_previous: never: nobody asks for a way back" };
  if (kept.some((one) => one.packageVersion === packageVersion)) {
    return {
      verdict: "ok",
      told: `the package of ${name} ${packageVersion} is kept, so there is a way back to it, also without the network`,
    };
  }
  if (offers.includes(packageVersion)) {
    return { verdict: "ok", told: `a repository still offers ${name} ${packageVersion}, so there is a way back to it` };
  }
  return noWayBack(packageVersion, scene);
}

function noWayBack(packageVersion: PackageVersion, { settings, examiner, fragment }: PreviousScene): Finding {
  const { package: name } = settings.agent;
  const gone = `no repository offers the installed ${name} ${packageVersion} any more`;
  const cached = examiner.isCached(name, packageVersion)
    ? "; its package lies in the cache, from where only you can install it"
    : "";
  if (settings.keepPrevious === "require") {
    return {
      verdict: "failed",
      told: `${gone}, and keep_previous: require lets nothing move without a way back to it${cached}; offer it once more, or prefer a way back`,
      fix: `echo 'keep_previous: prefer' | sudo tee ${shellWord(fragment)}`,
    };
  }
  return {
    verdict: "warning",
    told: `${gone}: after a move there is no way back to it${cached}`,
    fix: examiner.remedies.lookUp(name),
  };
}
