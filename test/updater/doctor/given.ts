import type { PackageExaminer, Remedies } from "../../../src/updater/package/manager/examiner.ts";
import type { Detected } from "../../../src/updater/package/manager/detect.ts";
import type { PackageManager } from "../../../src/updater/package/manager/manager.ts";
import type { InstalledPackage } from "../../../src/updater/plan/host-facts.ts";
import type { PackageVersion } from "../../../src/rules/version/wrapped.ts";
import { installed } from "../pass/given.ts";

export const remedies: Remedies = {
  unhold: (name) => `unhold ${name}`,
  refresh: "refresh",
  mend: "mend",
  tidy: "tidy",
  keepTime: "keep time",
  lookUp: (name) => `look up ${name}`,
};

/** A package manager that is at peace, and says what it is told to. */
export function examiner(says: Partial<PackageExaminer> = {}): PackageExaminer {
  return {
    name: "apt",
    lockHolder: () => undefined,
    audit: async () => [],
    listsAskedAt: () => undefined,
    isCached: () => false,
    needs: async () => [],
    rivals: async () => [],
    remedies,
    ...says,
  };
}

export type Managed = {
  readonly installed?: InstalledPackage;
  readonly offers?: readonly PackageVersion[];
  readonly simulate?: PackageManager["simulate"];
};

/** A package manager that only answers. */
export function manager({ installed: has = installed("15.4.5"), offers = [], simulate }: Managed = {}): PackageManager {
  const forbidden = (): Promise<never> => Promise.reject(new Error("doctor changes nothing"));
  return {
    name: "apt",
    inspect: async () => has,
    offers: async () => offers,
    simulate: simulate ?? (async () => []),
    refresh: forbidden,
    buildOf: forbidden,
    sources: forbidden,
    bring: forbidden,
    fetch: forbidden,
    install: forbidden,
    inspectAll: forbidden,
    installFiles: forbidden,
    objectionToBack: forbidden,
    holdAgain: forbidden,
    mend: forbidden,
  };
}

export function detected(managed: Managed = {}): Detected {
  return { manager: manager(managed), installed: managed.installed ?? installed("15.4.5") };
}
