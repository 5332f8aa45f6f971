import type { FaultCode } from "../../../../src/rules/fault/table.ts";
import type { Change } from "../../../../src/updater/package/manager/manager.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";
import type { PackageVersion } from "../../../../src/rules/version/wrapped.ts";

export const agent = "svc-ent" as PackageName;

export function change(to: string, more: Partial<Change> = {}): Change {
  return { name: agent, to: to as PackageVersion, direction: "up", hold: "none", beside: [], ...more };
}

export async function faultOf(work: Promise<unknown>): Promise<{ code: FaultCode; message: string }> {
  const outcome: unknown = await work.then(
    () => "no fault",
    (thrown: unknown) => thrown,
  );
  return outcome as { code: FaultCode; message: string };
}
