import { randomUUID } from "node:crypto";
import { nativeArchitecture } from "../../packaging/project.ts";
import { rpmArchitectures } from "../../packaging/rpm/spec.ts";
import type { Change, FileOnHost, FileSet, WantedFile } from "../../src/updater/package/manager/manager.ts";
import type { PackageName } from "../../src/rules/settings/settings.ts";
import type { PackageVersion } from "../../src/rules/version/wrapped.ts";
import type { Host } from "./lab/host.ts";
import { until } from "./lab/until.ts";
import type { Came, Wish } from "./manager-in-host.ts";
import { decideBy } from "./sources.ts";

/** Where a pass keeps package files. */
export const kept = "/var/lib/svc-upgrade/packages";

const agent = "svc-ent" as PackageName;

/** What the file of that version is called there. */
export function keptFile(version: string, name: string = agent): string {
  return `${name}-${version.replace(":", "_")}.${rpmArchitectures[nativeArchitecture]}.rpm`;
}

type Told = Omit<Came, "id">;

/** The manager's port, as the deciding unit has it: in the shipped sandbox, with its transactions in their own unit. */
export type Managing = {
  readonly inspect: () => Promise<Told>;
  readonly inspectAll: (names: readonly string[]) => Promise<Told>;
  readonly mend: (names?: readonly string[]) => Promise<Told>;
  readonly fetch: (version: string, is: WantedFile["is"], name?: string) => Promise<Told>;
  readonly simulate: (to: string, more?: Partial<Change>) => Promise<Told>;
  /** As it is planned and brought. */
  readonly install: (to: string, more?: Partial<Change>) => Promise<Told>;
  /** Starts it, and waits for nothing. */
  readonly beginInstallFile: (to: string) => Promise<void>;
  /** From the kept file of that version. */
  readonly installFile: (to: string, more?: Partial<Change>) => Promise<Told>;
  /** The same together with those of other packages. */
  readonly installFiles: (members: Members, more?: Partial<Change>) => Promise<Told>;
  readonly beginInstallFiles: (members: Members) => Promise<void>;
  readonly objectionToBack: (sets: { readonly after: Members; readonly before: Members }) => Promise<Told>;
};

/** The versions of packages whose files are kept, by their names, the agent's first. */
export type Members = Readonly<Record<string, string>>;

/** Of a host that began with the sources. */
export function manage(host: Host): Managing {
  const { family } = host;
  if (family === "apt") throw new Error("only hosts with rpm packages are managed so");
  const change = (to: string, more: Partial<Change> = {}): Change => {
    return { name: agent, to: to as PackageVersion, direction: "up", hold: "none", beside: [], ...more };
  };
  const installing = (members: Members, more?: Partial<Change>): Wishing => {
    const files = filesOf(members);
    return { does: "installFiles", change: change(files[0].version, more), files };
  };
  const begin = async (members: Members): Promise<void> => {
    await decideTo(host, { ...installing(members), id: randomUUID(), manager: family });
    await host.mustRun(["systemctl", "start", "--no-block", "svc-upgrade.service"]);
  };
  const tell = (wishing: Wishing): Promise<Told> => ask(host, { ...wishing, id: randomUUID(), manager: family });
  return {
    inspect: async () => {
      const { answer, ...rest } = await tell({ does: "inspectAll", names: [agent] });
      return answer === undefined ? rest : { answer: (answer as readonly unknown[])[0] };
    },
    inspectAll: (names) => tell({ does: "inspectAll", names: names as readonly PackageName[] }),
    mend: (names = [agent]) => tell({ does: "mend", names: names as readonly PackageName[] }),
    fetch: (version, is, name = agent) => tell({ does: "fetch", wanted: { ...named(name, version), is }, directory: kept }),
    simulate: (to, more) => tell({ does: "simulate", change: change(to, more) }),
    install: (to, more) => tell({ does: "install", change: change(to, more) }),
    installFile: (to, more) => tell(installing({ [agent]: to }, more)),
    beginInstallFile: (to) => begin({ [agent]: to }),
    installFiles: (members, more) => tell(installing(members, more)),
    beginInstallFiles: begin,
    objectionToBack: ({ after, before }) =>
      tell({ does: "objectionToBack", sets: { after: filesOf(after), before: filesOf(before) } }),
  };
}

function filesOf(members: Members): FileSet {
  const [first, ...others] = Object.entries(members).map(([name, version]): FileOnHost => {
    return { ...named(name, version), path: `${kept}/${keptFile(version, name)}` };
  });
  return [first!, ...others];
}

function named(name: string, version: string): Pick<FileOnHost, "name" | "version"> {
  return { name: name as PackageName, version: version as PackageVersion };
}

type Without<T> = T extends unknown ? Omit<T, "id" | "manager"> : never;
type Wishing = Without<Wish>;

async function ask(host: Host, wish: Wish): Promise<Told> {
  await decideTo(host, wish);
  await host.run(["systemctl", "start", "svc-upgrade.service"], { timeoutMs: 240_000 });
  return until("the answer is in the journal", 10_000, async () => {
    const lines = await host.journal("svc-upgrade.service");
    const line = lines.split("\n").find((candidate) => candidate.startsWith(`{"id":"${wish.id}"`));
    if (line === undefined) return undefined;
    const { answer, fault } = JSON.parse(line) as Came;
    return fault === undefined ? { answer } : { fault };
  });
}

function decideTo(host: Host, wish: Wish): Promise<void> {
  return decideBy(host, "manager-in-host.ts", [Buffer.from(JSON.stringify(wish)).toString("base64")]);
}
