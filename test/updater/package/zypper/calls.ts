import type { Change } from "../../../../src/updater/package/manager/manager.ts";
import type { Ended } from "../../../../src/updater/package/call/result.ts";
import type { RpmCalls } from "../../../../src/updater/package/rpm/calls.ts";
import type { ZypperArguments, ToldCall, ZypperCalls } from "../../../../src/updater/package/zypper/calls.ts";
import type { InstalledPackage } from "../../../../src/updater/plan/host-facts.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";
import { wrappedVersion, type PackageVersion } from "../../../../src/rules/version/wrapped.ts";

import { rpmThatIsNever } from "../rpm/never.ts";

export const agent = "svc-ent" as PackageName;

export function change(to: string, more: Partial<Change> = {}): Change {
  return { name: agent, to: to as PackageVersion, direction: "up", hold: "none", beside: [], ...more };
}

export function present(
  version: string,
  condition: "whole" | "half-way" = "whole",
  hold: "none" | "held" = "none",
): InstalledPackage {
  const packageVersion = version as PackageVersion;
  return { kind: "present", packageVersion, version: wrappedVersion(packageVersion), condition, isHeld: hold === "held" };
}

export type Scene = {
  /** What the database says, from one question to the next; the last answer stays. */
  readonly installed: readonly InstalledPackage[];
  readonly ask: (args: ZypperArguments) => Ended;
  readonly act?: (args: ZypperArguments) => Ended;
  readonly rpm?: Partial<RpmCalls>;
};

export type Staged = {
  readonly calls: ZypperCalls;
  readonly asked: { readonly args: ZypperArguments; readonly unheld: PackageName | undefined }[];
  readonly acted: { readonly args: ZypperArguments; readonly told: ToldCall }[];
};

/** A zypper that answers as it is told, and writes down what it was asked. */
export function stage({ installed, ask, act, rpm }: Scene): Staged {
  const databases = [...installed];
  const asked: Staged["asked"][number][] = [];
  const acted: Staged["acted"][number][] = [];
  const does = (args: ZypperArguments, told: ToldCall): Promise<Ended> => {
    acted.push({ args, told });
    return Promise.resolve(act?.(args) ?? { status: 0, stdout: "", output: "" });
  };
  return {
    asked,
    acted,
    calls: {
      ask: (args, unheld) => {
        asked.push({ args, unheld });
        return Promise.resolve(ask(args));
      },
      act: does,
      download: (args, what) => does(args, { what, unheld: undefined }),
      rpm: { ...rpmThatIsNever("not asked for here"), ...rpm },
      removeCaches: (paths) => does(["rm", ...paths], { what: "remove damaged caches", unheld: undefined }),
      inspect: () => Promise.resolve((databases.length > 1 ? databases.shift() : databases[0]) ?? { kind: "absent" }),
      repositories: () => [{ alias: "svc", name: "The ours repository", isEnabled: true, urls: [] }],
      fetched: () => ["svc"],
      rpmHolder: () => ({ pid: 42, program: "rpm" }),
      patience: { forMs: 6, everyMs: 1 },
    },
  };
}
