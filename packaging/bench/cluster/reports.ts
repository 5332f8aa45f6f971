import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { load, type Call, type Loaded } from "./load.ts";
import type { Served, Stage } from "./stage.ts";

/** The usual report of a host whose updater waits for its window, as `svc` sends it. */
export const report: Call = {
  path: "/svc.v1.InventoryService/Report",
  body: JSON.stringify({
    bootId: randomUUID(),
    counter: "COUNTER",
    hostname: "bench-HOST-COUNTER",
    services: ["node"],
    version: "15.4.5",
    updater: {
      kind: "unit",
      package: "svc-ent",
      channel: "default",
      installed: "15.4.5",
      served: "15.4.6",
      decision: { kind: "stay", why: "outside-window", until: "2026-11-26T02:00:00Z" },
      outcome: { kind: "moved", version: "15.4.5", at: "2026-11-20T02:10:00Z" },
      window: "schedule",
      looked: "2026-11-25T12:00:00Z",
    },
  }),
  // The answer has the windows of eight days.
  says: /"hasWindow":\s*true(?:[^]*"start"){8}[^]*"reportAfterSeconds"/,
};
/** A report that says the same in every call. */
const again: Call = { ...report, body: report.body.replace("bench-HOST-COUNTER", "again-HOST") };
const window = "kind: cluster_maintenance_config\nspec:\n  agent_upgrades:\n    utc_start_hour: 2\n";

/** Configures a window, so that answers to reports have windows. */
export function setWindow({ folder, tctl }: Stage): void {
  writeFileSync(join(folder, "window.yaml"), window);
  tctl("create", join(folder, "window.yaml"));
}

/** Sends reports, and checks that the inventory has each host's last answered one. */
export async function reports(
  stage: Stage,
  auth: Served,
  asked: { readonly round: number; readonly saying: "news" | "the-same"; readonly hosts?: string },
): Promise<Loaded> {
  const { round, saying, hosts = "bench" } = asked;
  const began = Math.floor(Date.now() / 1000);
  const { body, ...call } = saying === "news" ? report : again;
  const ofRound = body.replace("bench-", `${hosts}-`).replace('"bootId":"', `$&${saying}-${round}-`);
  const loaded = await load(auth, "call-resumed", { ...call, body: ofRound, folder: stage.folder });
  const { instances } = JSON.parse(stage.tctl("inventory", "ls", "--format", "json")) as {
    readonly instances: readonly { readonly hostname: string; readonly reported?: string }[];
  };
  const heard = new Map(instances.map(({ hostname, reported = "" }) => [hostname, Date.parse(reported) / 1000]));
  const nameOf = (made: number, host: number): string => (saying === "news" ? `${hosts}-${host}-${made}` : `again-${host}`);
  const lost = loaded.last.filter((made, host) => !((heard.get(nameOf(made, host)) ?? 0) >= began));
  if (lost.length > 0) throw new Error(`of ${lost.length} hosts the inventory does not have the last report`);
  return loaded;
}
