import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { actHere, type PackageActs } from "../../../src/updater/act/package-acts.ts";
import { Fault } from "../../../src/rules/fault/fault.ts";
import type { FaultCode } from "../../../src/rules/fault/table.ts";
import { pathsBelow, type Paths } from "../../../src/machine/files/paths.ts";
import type {
  BothSets,
  Change,
  FileOnHost,
  PackageManager,
  Planned,
  WantedFile,
} from "../../../src/updater/package/manager/manager.ts";
import type { InstalledPackage } from "../../../src/updater/plan/host-facts.ts";
import { policyOf, type Asked } from "../../../src/updater/plan/host-policy.ts";
import type { PackageName } from "../../../src/rules/settings/settings.ts";
import { writeBegunSettings } from "../../../src/updater/store/begun-settings.ts";
import { readLedger } from "../../../src/updater/store/ledger-file.ts";
import type { PackageVersion } from "../../../src/rules/version/wrapped.ts";
import type { Schedule } from "../../../src/rules/window/schedule.ts";
import { scratchOfTest } from "../../machine/files/scratch.ts";
import { installed, now, openSchedule, packageVersion, settings } from "../pass/given.ts";

export const a: PackageVersion = packageVersion("15.4.5");
export const b: PackageVersion = packageVersion("15.4.6");
export const c: PackageVersion = packageVersion("15.4.7");
export const agent = "svc-ent" as PackageName;
export const libs = "svc-ent-libs" as PackageName;
export const data = "svc-ent-data" as PackageName;
export const extra = "extra" as PackageName;
export const absent: InstalledPackage = { kind: "absent" };

export type Scene = {
  readonly acts: PackageActs;
  readonly paths: Paths;
  readonly did: string[];
  readonly host: {
    /** What is installed of the agent's package, and when it may be changed. */
    present: InstalledPackage;
    schedule: Schedule;
    asked: Asked;
    /** What root has pinned. */
    pin: string | undefined;
    fails: boolean;
    now: number;
    /** What is installed of the others. */
    others: Record<string, InstalledPackage>;
    /** What a change takes along. */
    plan: readonly Planned[];
    /** Why the file of `name=version` cannot be fetched. */
    unfetched: Record<string, FaultCode>;
    /** What there is against the rollback. */
    objection: string | undefined;
  };
  readonly changes: Change[];
  readonly fetched: WantedFile[];
  readonly objected: BothSets[];
  readonly mended: (readonly PackageName[])[];
  /** Another process, for another pass. */
  readonly again: (pass: string) => PackageActs;
};

/** An acting side with its files, and a package manager that installs what it is told. */
export function scene(): Scene {
  const paths = pathsBelow(mkdtempSync(`${scratchOfTest()}/root-`));
  mkdirSync(paths.stateDirectory, { recursive: true });
  const did: string[] = [];
  const [changes, fetched, objected, mended]: [Change[], WantedFile[], BothSets[], (readonly PackageName[])[]] = [[], [], [], []];
  const host: Scene["host"] = {
    present: installed("15.4.5"),
    schedule: openSchedule,
    asked: { when: "timer", absent: "stop" },
    pin: undefined,
    fails: false,
    now,
    others: {},
    plan: [],
    unfetched: {},
    objection: undefined,
  };
  const put = async (what: string, to: string, others: readonly Pick<Planned, "name" | "version">[]): Promise<void> => {
    // Whatever happens then, it stands there before.
    did.push(`${what} ${to}, written down: ${readLedger(paths).move?.to}`);
    if (host.fails) throw new Error("it broke off");
    for (const { name, version } of others.filter((one) => one.name !== agent)) host.others[name] = installed(version);
    host.present = installed(to);
  };
  const inspect = (name: PackageName): InstalledPackage => (name === agent ? host.present : (host.others[name] ?? absent));
  const said = ({ path }: FileOnHost): string => readFileSync(path, "utf8");
  const manager: PackageManager = {
    name: "apt",
    inspect: async (name) => inspect(name),
    inspectAll: async (names) => names.map(inspect),
    refresh: async () => void did.push("refresh"),
    offers: () => Promise.reject(new Error("asked of the acting side")),
    buildOf: () => Promise.reject(new Error("asked of the acting side")),
    sources: () => Promise.reject(new Error("asked of the acting side")),
    simulate: async (change) => {
      did.push(`simulate ${change.to}`);
      changes.push(change);
      return [...host.plan, { name: agent, version: change.to, architecture: "all" }];
    },
    bring: async ({ to }) => void did.push(`bring ${to}`),
    fetch: async (wanted, directory) => {
      const { name, version } = wanted;
      const code = host.unfetched[`${name}=${version}`];
      if (code !== undefined) throw new Fault(code, { message: `${name} ${version} cannot be had`, hint: "" });
      fetched.push(wanted);
      const [file, content] = name === agent ? [`${version}.deb`, version] : [`${name}_${version}.deb`, `${name} ${version}`];
      writeFileSync(`${directory}/${file}`, `package ${content}`, { mode: 0o644 });
      return file;
    },
    install: ({ to }, planned) => put("install", to, planned),
    installFiles: ({ to }, [own, ...others]) => put(`install ${[own, ...others].map(said).join(", ")} as`, to, others),
    objectionToBack: async (sets) => (objected.push(sets), host.objection),
    holdAgain: async () => void did.push("hold again"),
    mend: async (names) => {
      did.push("mend");
      mended.push(names);
    },
  };
  const again = (pass: string): PackageActs =>
    actHere({
      settings: settings(),
      manager: async () => manager,
      paths,
      pass,
      gates: {
        policy: async () => policyOf(settings(host.pin === undefined ? {} : { pin: { version: host.pin } }), host.asked),
        schedule: async () => host.schedule,
        now: () => host.now,
      },
      noteSettings: () => writeBegunSettings(paths, pass, []),
    });
  return { acts: again("pass-1"), paths, did, host, changes, fetched, objected, mended, again };
}
