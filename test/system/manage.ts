import { randomUUID } from "node:crypto";
import { nativeArchitecture } from "../../packaging/project.ts";
import { rpmArchitectures } from "../../packaging/rpm/spec.ts";
import type { Change, WantedFile } from "../../src/package/manager.ts";
import type { PackageName } from "../../src/settings/settings.ts";
import type { PackageVersion } from "../../src/version/wrapped.ts";
import type { Host } from "./lab/host.ts";
import { until } from "./lab/until.ts";
import type { Came, Wish } from "./manager-in-host.ts";
import { decideBy } from "./sources.ts";

/** Where a pass keeps package files. */
export const kept = "/var/lib/svc-upgrade/packages";

const agent = "svc-ent" as PackageName;

/** What the file of that version is called there. */
export function keptFile(version: string): string {
  return `svc-ent-${version.replace(":", "_")}.${rpmArchitectures[nativeArchitecture]}.rpm`;
}

type Told = Omit<Came, "id">;

/** The manager's port, as the deciding unit has it: in the shipped sandbox, with its transactions in their own unit. */
export type Managing = {
  readonly inspect: () => Promise<Told>;
  readonly mend: () => Promise<Told>;
  readonly fetch: (version: string, is: WantedFile["is"]) => Promise<Told>;
  readonly install: (to: string, more?: Partial<Change>) => Promise<Told>;
  /** Starts it, and waits for nothing. */
  readonly beginInstallFile: (to: string) => Promise<void>;
  /** From the kept file of that version. */
  readonly installFile: (to: string, more?: Partial<Change>) => Promise<Told>;
};

/** Of a host that began with the sources. */
export function manage(host: Host): Managing {
  const { family } = host;
  if (family === "apt") throw new Error("only hosts with rpm packages are managed so");
  const change = (to: string, more: Partial<Change> = {}): Change => {
    return { name: agent, to: to as PackageVersion, direction: "up", hold: "none", ...more };
  };
  const installingFile = (to: string, more?: Partial<Change>): Wishing => {
    return { does: "installFile", change: change(to, more), file: `${kept}/${keptFile(to)}` };
  };
  const tell = (wishing: Wishing): Promise<Told> => ask(host, { ...wishing, id: randomUUID(), manager: family });
  return {
    inspect: () => tell({ does: "inspect", name: agent }),
    mend: () => tell({ does: "mend", name: agent }),
    fetch: (version, is) =>
      tell({ does: "fetch", wanted: { name: agent, version: version as PackageVersion, is }, directory: kept }),
    install: (to, more) => tell({ does: "install", change: change(to, more) }),
    installFile: (to, more) => tell(installingFile(to, more)),
    beginInstallFile: async (to) => {
      await decideTo(host, { ...installingFile(to), id: randomUUID(), manager: family });
      await host.mustRun(["systemctl", "start", "--no-block", "svc-upgrade.service"]);
    },
  };
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
