import { accountOf } from "../host/account.ts";
import type { UnitName } from "../settings/settings.ts";
import { userOf } from "../unit/agent-user.ts";
import type { Writer } from "./schedule.ts";
import { withoutUnits, type Scope } from "./scope.ts";

/** Who exports the schedule: the agent, as the user of its unit. */
export async function writerOf({ run, reach }: Pick<Scope, "run" | "reach">, unit: UnitName): Promise<Writer> {
  const skipped = withoutUnits(reach);
  if (skipped !== undefined) return { kind: "unknown", why: skipped.told };
  const { name, kind } = await userOf(run, unit);
  if (kind === "fleeting") return { kind: "unknown", why: `${unit} runs as a user that exists only while it runs` };
  const account = await accountOf(run, name);
  return account === undefined
    ? { kind: "unknown", why: `there is no user ${name}, whom ${unit} names` }
    : { kind: "known", name, account };
}
