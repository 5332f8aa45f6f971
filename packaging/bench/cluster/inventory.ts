import { createHash, randomUUID } from "node:crypto";
import { join, resolve } from "node:path";
import { instanceKey, instanceRow } from "../../../src/cluster/auth/instance-row.ts";
import { reportKey, reportRow } from "../../../src/cluster/auth/report-row.ts";
import { bodyOf } from "../../../src/cluster/auth/row-forms.ts";
import type { Pin } from "../../../src/cluster/identity/pin.ts";
import type { Change, Store } from "../../../src/cluster/storage/port.ts";
import { openSqliteStore } from "../../../src/cluster/storage/sqlite.ts";
import { measure } from "../measure.ts";
import { printFigures } from "../print.ts";
import type { Stage } from "./stage.ts";

const hosts = 10_000;
/** How many hosts one commit adds, with two rows each. */
const atOnce = 50;

/** Measures an inventory with this many more hosts, which have just reported. */
export async function measureInventory(stage: Stage): Promise<string> {
  // Opens the store as tctl's release, because a store of another release is refused.
  const { version: release } = JSON.parse(stage.tctl("version", "--format", "json")) as { readonly version: string };
  await stage.stopAuth();
  const store = await openSqliteStore({ path: join(stage.folder, "data/auth/cluster.db"), release });
  const now = Math.floor(Date.now() / 1000);
  await addHosts(store, hosts, now);
  await store.close();
  await stage.startAuth();
  const [file, ...words] = stage.program;
  const floor = resolve(import.meta.dirname, "ask.cjs");
  return printFigures(
    `${hosts} hosts, a whole process`,
    measure([
      {
        name: "a bare script of the same runtime that asks one thing",
        argv: [process.execPath, floor, stage.socketPath],
        expects: /editor/,
      },
      {
        name: "`tctl inventory ls`",
        argv: [file, ...words, "tctl", "inventory", "ls", "-c", stage.config],
        // Expects a line for every host.
        expects: new RegExp(`^Server ID[^\\n]*\\n(?:[0-9a-f-]{36} [^\\n]*\\n){${hosts},}$`),
      },
    ]),
  );
}

export async function addHosts(store: Pick<Store, "commit">, count: number, now: number): Promise<void> {
  for (let host = 0; host < count; host += atOnce) {
    const changes = Array.from({ length: atOnce }, (_, index) => rowsOf(host + index, now)).flat();
    await store.commit({ at: now, by: "bench", changes, audit: [] });
  }
}

/** The rows of a host. One host in ten has a label. */
function rowsOf(host: number, now: number): readonly Change[] {
  const id = randomUUID();
  const about = { hostname: `web-${host}`, services: ["node"], version: "15.4.5" };
  const instance = bodyOf(instanceRow, {
    ...about,
    kind: "node",
    labels: host % 10 === 0 ? { env: "staging" } : {},
    ephemeral: false,
    key: `sha256:${createHash("sha256").update(id).digest("hex")}` as Pin,
    current: "1",
    issued: "1",
    authority: undefined,
    joined: now,
    renewed: now,
    certificate_until: now + 86_400,
    token: "bench",
    cloned: undefined,
    removed: undefined,
  });
  const report = bodyOf(reportRow, {
    ...about,
    at: now,
    ended: undefined,
    unhealthy_since: undefined,
    boot_id: "boot-1",
    counter: 1,
    labels: {},
    public_addr: "",
    goodbye: false,
    os: { id: "debian", version_id: "12" },
    updater: {
      kind: "unit",
      package: "svc-ent",
      channel: "default",
      installed: "15.4.5",
      served: "15.4.6",
      decision: { kind: "stay", why: "outside-window", until: now + 3600 },
      step: "",
      outcome: { kind: "moved", version: "15.4.5", fault: "", at: now },
      rejected: [],
      held_until: undefined,
      held: false,
      window: "schedule",
      looked: now,
      asks_as: "",
      downgrade: "refuse",
      unhealthy: false,
    },
  });
  const expect = { kind: "absent" } as const;
  return [
    { kind: "put", item: instanceKey(id), body: instance, expect },
    { kind: "put", item: reportKey(id), body: report, expect },
  ];
}
