import { deepEqual, doesNotMatch, equal, ok } from "node:assert/strict";
import type { StatusJson } from "../../src/updater/cli/json/status.ts";
import { agentProcess } from "../system/lab/agent.ts";
import type { Host } from "../system/lab/host.ts";
import { decidingUnit } from "./pass.ts";
import { recordOf } from "./record.ts";
import type { Stage } from "./stage.ts";
import { halfWayCompanions, versionsIn } from "./whole.ts";

type On = Pick<Stage, "host" | "set">;

/**
 * After a pass: `status` has what the pass has recorded and what is on the host; and neither says that all is well, nor does the pass
 * by its exit status alone, while the agent is not well at the version that is served.
 */
export async function expectStatus({ host, set }: On, exitStatus: number): Promise<void> {
  const told = await statusOf(host);
  const { passes, needsOperator, rejected } = recordOf(host);
  equal(told.passes[0]?.id, passes[0]?.id, "status does not know the last pass");
  equal(told.operator?.why, needsOperator?.why, "status does not tell who is called, or why");
  deepEqual(
    told.rejected.map(({ version }) => version),
    rejected.map(({ served }) => served),
  );
  if (told.package !== undefined) await expectInstalled({ host, set }, told.package);
  const illness = await illnessOf({ host, set });
  if (illness === undefined || told.installed !== told.served) return;
  doesNotMatch((await host.enter(["svc-upgrade", "status"])).stdout, /^Up to date:/, `status says nothing of it: ${illness}`);
  // What it has just proved may fall ill the next moment.
  if (exitStatus !== 0 || passes[0]?.outcome.kind === "moved") return;
  ok((await warningsOfLastPass(host)) !== "", `the pass ends with 0 and without a warning: ${illness}`);
}

async function statusOf(host: Host): Promise<StatusJson> {
  const { status, stdout, stderr } = await host.enter(["svc-upgrade", "status", "--json"]);
  equal(status, 0, stderr);
  return JSON.parse(stdout) as StatusJson;
}

async function expectInstalled({ host, set }: On, { version, condition }: NonNullable<StatusJson["package"]>): Promise<void> {
  const found = (await versionsIn(host, set)).join(", ");
  ok(found.includes(version), `status tells of ${version}, and the package database of ${found}`);
  const besides = (await halfWayCompanions(host, set)).join(", ");
  const isWhole = found === `${version} installed` && besides === "";
  equal(condition === "whole", isWhole, `status says that ${version} is ${condition}: ${found}; ${besides}`);
}

/** What is wrong with the agent, looked at from outside; undefined where it is well, or was stopped by an admin. */
async function illnessOf({ host, set }: On): Promise<string | undefined> {
  const database = (await versionsIn(host, set)).join(", ");
  if (!/^\S+ installed$/.test(database)) return `the package database has ${database}`;
  const binary = set.binary === undefined ? undefined : await host.enter(["sh", "-c", '"$1" version; exit $?', "sh", set.binary]);
  if (binary !== undefined && binary.status !== 0) return `its binary ends with ${binary.status}`;
  const properties = "--property=ActiveState,SubState,UnitFileState";
  const shown = await host.enter(["systemctl", "show", properties, set.unit]);
  if (!/^UnitFileState=enabled$/m.test(shown.stdout) || /^ActiveState=inactive$/m.test(shown.stdout)) return undefined;
  if (/^(?:ActiveState=failed|SubState=auto-restart)$/m.test(shown.stdout)) return `its unit is down: ${shown.stdout.trim()}`;
  if (binary === undefined) return undefined;
  const agent = await agentProcess(host).catch(() => undefined);
  if (agent === undefined || agent.speaks === "") return undefined;
  return agent.speaks === binary.stdout.trim() ? undefined : `its process is ${agent.speaks}, its binary ${binary.stdout.trim()}`;
}

async function warningsOfLastPass(host: Host): Promise<string> {
  const { stdout: id } = await host.enter(["systemctl", "show", "--property=InvocationID", "--value", decidingUnit]);
  await host.enter(["journalctl", "--sync"]);
  const asked = ["--quiet", "--no-pager", "--output=cat", "--priority=warning", `_SYSTEMD_INVOCATION_ID=${id.trim()}`];
  return (await host.enter(["journalctl", ...asked])).stdout.trim();
}
