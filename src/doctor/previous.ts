import type { PackageExaminer } from "../package/examiner.ts";
import type { InstalledPackage } from "../plan/facts.ts";
import type { Settings } from "../settings/settings.ts";
import type { PackageVersion } from "../version/wrapped.ts";
import type { Finding } from "./check.ts";

export type PreviousScene = {
  readonly settings: Pick<Settings, "agent" | "keepPrevious">;
  readonly installed: InstalledPackage;
  readonly examiner: Pick<PackageExaminer, "isCached" | "remedies">;
  readonly offers: readonly PackageVersion[];
};

/** Whether a move could be taken back: to what is installed now. */
export function examinePrevious({ settings, installed, examiner, offers }: PreviousScene): Finding {
  const { package: name } = settings.agent;
  if (installed.kind === "absent")
    return { verdict: "skipped", told: `${name} is not installed, so there is nothing to go back to` };
  const { packageVersion } = installed;
  if (settings.keepPrevious === "never") return { verdict: "ok", told: "keep_previous: never: nobody asks for a way back" };
  if (offers.includes(packageVersion)) {
    return { verdict: "ok", told: `a repository still offers ${name} ${packageVersion}, so there is a way back to it` };
  }
  const cached = examiner.isCached(name, packageVersion)
    ? "; its package lies in the cache, from where only you can install it"
    : "";
  return {
    verdict: "warning",
    told: `no repository offers the installed ${name} ${packageVersion} any more: after a move there is no way back to it${cached}`,
    fix: examiner.remedies.lookUp(name),
  };
}
