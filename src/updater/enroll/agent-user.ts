import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import type { UnitName } from "../../rules/settings/settings.ts";
import { showProperties } from "../unit/properties.ts";
import { lookUpAccount, type NamedAccount } from "./accounts.ts";
import type { EnrollScope } from "./scope.ts";

export type AskedUser = {
  /** Given with --agent-user. */
  readonly user: string | undefined;
  readonly unit: UnitName;
  /** The user to whom an earlier enrolment gave the schedule. */
  readonly earlierUid: number | undefined;
};

/** Picks the user who writes the schedule: the given one, the user of the agent's unit, the one of an earlier enrolment, or root. */
export async function findAgentUser({ user, unit, earlierUid }: AskedUser, scope: EnrollScope): Promise<NamedAccount> {
  if (user !== undefined) {
    const account = await lookUpAccount(user, scope);
    if (account === undefined) throw unknownUser(user, scope);
    return owned(account, scope);
  }
  const shown = scope.units === "running" ? await showUser(unit, scope) : undefined;
  if (shown?.isDynamic === true) throw fleeting(unit);
  if (shown !== undefined && shown.user !== "") {
    const account = await lookUpAccount(shown.user, scope);
    if (account === undefined) throw missingUser(unit, shown.user);
    return owned(account, scope);
  }
  const earlier = earlierUid === undefined ? undefined : await lookUpAccount(String(earlierUid), scope);
  if (earlier !== undefined) return owned(earlier, scope);
  if (shown?.isLoaded !== true) {
    const why = shown === undefined ? "systemd does not run there" : "it is not installed yet";
    scope.log("info", `who runs ${unit} is not known, as ${why}: the schedule is root's, unless --agent-user names another`);
  }
  return owned(root, scope);
}

const root: NamedAccount = { name: "root", uid: 0 };

/** Below another root, the root's owner takes root's place. */
function owned(account: NamedAccount, { ownerUid }: EnrollScope): NamedAccount {
  return account.uid === 0 ? { ...account, uid: ownerUid } : account;
}

type Shown = { readonly isLoaded: boolean; readonly user: string; readonly isDynamic: boolean };

async function showUser(unit: UnitName, { run }: EnrollScope): Promise<Shown> {
  const { LoadState, User, DynamicUser } = await showProperties(run, unit, ["LoadState", "User", "DynamicUser"]);
  return { isLoaded: LoadState === "loaded", user: User, isDynamic: DynamicUser === "yes" };
}

function unknownUser(asked: string, { paths }: EnrollScope): Fault {
  const where = paths.root === "/" ? "on this host" : `in ${paths.root}/etc/passwd`;
  return new Fault("usage", {
    message: `--agent-user: there is no user "${quote(asked)}" ${where}`,
    hint: "name the user that runs the agent, by name or number, or leave it out where that is root",
  });
}

function missingUser(unit: UnitName, user: string): Fault {
  return new Fault("host-unsupported", {
    message: `${unit} runs as ${quote(user)}, and there is no such user on this host`,
    hint: `create it, or correct User= of the unit: \`systemctl cat ${unit}\``,
  });
}

/** The fault of a dynamic user, who has another number tomorrow. */
function fleeting(unit: UnitName): Fault {
  return new Fault("host-unsupported", {
    message: `${unit} runs as a user that exists only while it runs (DynamicUser=yes), which no file can be given to`,
    hint: "name a lasting user that writes the schedule: --agent-user NAME; root, if nobody does",
  });
}
