import { basename, dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Account } from "./account.ts";
import { quote } from "../../rules/text/quote.ts";
import { firstBeside } from "../../machine/files/names-in.ts";
import { reach, tellBarred, wayFree } from "../../machine/files/foreign-file.ts";
import { shellWord } from "../../rules/text/shell-word.ts";
import type { Settings, UnitName } from "../../rules/settings/settings.ts";
import { readSchedule, seeSchedule } from "../store/schedule-file.ts";
import { printInstant } from "../../rules/window/instant.ts";
import type { Schedule } from "../../rules/window/schedule.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { failed, ok, warning, type Finding } from "./check.ts";
import { isUnseen, lookAt, type Looked, type Missing, type Unseen } from "./look-at.ts";
import { needsRoot } from "./finding-of-fault.ts";
import { tellOwnWindows } from "../sentences/window.ts";
import { tellSchedule, tellWeekly, windowLike } from "./schedule-words.ts";

/** The user who exports the schedule: the user of the agent's unit, if known. */
export type Writer =
  | { readonly kind: "known"; readonly name: string; readonly account: Account }
  | { readonly kind: "unknown"; readonly why: string };

export type ScheduleScene = {
  readonly file: string;
  /** The file for a local window. */
  readonly fragment: string;
  readonly unit: UnitName;
  readonly settings: Pick<Settings, "window" | "unscheduled">;
  readonly writer: Writer;
  readonly now: () => UnixSeconds;
};

/** Judges the schedule file: what it says, how fresh it is, and whether the agent can write it again. */
export async function examineSchedule(scene: ScheduleScene): Promise<Finding> {
  const { file, unit, settings, writer, now } = scene;
  if (settings.window !== undefined) {
    return ok(`the local window counts, ${tellOwnWindows(settings.window, tellWeekly)}; ${file} is not needed`);
  }
  const seen = lookAt(file);
  const above = lookAt(dirname(file));
  if (isUnseen(seen)) return tellUnseen(file, seen);
  if (isUnseen(above)) return tellUnseen(file, above);
  const schedule = await readSchedule(file, { now, wait: (ms) => sleep(ms) });
  const { cluster } = seeSchedule(file, now());
  const said = `${file} ${tellSchedule(schedule, now())}`;
  if (seen.kind === "link") {
    return failed(said, `sudo rm ${shellWord(file)} && sudo systemctl restart ${unit}`);
  }
  if (writer.kind === "known" && !mayWrite(writer.account, rightsOf(seen), rightsOf(above))) {
    const told = `${said}; ${writer.name}, who runs ${unit}, may not write it`;
    const other = besides(file);
    return other === undefined
      ? failed(told, giveFix(scene, writer.name))
      : failed(`${told}, and "${quote(other)}" lies beside it; name one in a directory of its own: agent.schedule_file`);
  }
  const told = seen.kind === "missing" ? said : `${said}; ${tellWritten(seen, writer, cluster)}`;
  const open = [seen, above].some((looked) => looked.kind !== "missing" && mayEverybodyWrite(looked));
  return judge({ schedule, told, cluster }, scene) ?? (open ? openToAll(told, file) : ok(told));
}

function rightsOf(looked: Looked | Missing): Looked | "missing" {
  return looked.kind === "missing" ? "missing" : looked;
}

function tellUnseen(file: string, unseen: Unseen): Finding {
  switch (unseen.kind) {
    case "denied":
      return needsRoot(`${file} may not be read by this user`);
    case "refused":
      return failed(`${file} is not used: ${unseen.why}`);
    case "barred":
      return failed(`${file} is not used: ${tellBarred(unseen)}`, wayFree(unseen));
  }
}

type Read = { readonly schedule: Schedule; readonly told: string; readonly cluster: string | undefined };

/** Undefined if it names windows. */
function judge({ schedule, told, cluster }: Read, { fragment, settings }: ScheduleScene): Finding | undefined {
  switch (schedule.kind) {
    case "windows":
      return undefined;
    case "never":
      return warning(`${told}: nothing moves by itself; to move once`, "sudo svc-upgrade run --now");
    case "missing":
    case "empty":
    case "invalid":
    case "stale": {
      const verdict = settings.unscheduled === "anytime" ? "warning" : "failed";
      const missing =
        schedule.kind === "empty" && cluster !== undefined
          ? `no window is configured in the cluster ${cluster}: tctl create sets one (kind: cluster_maintenance_config)`
          : "the agent has to export it (is it running and connected?)";
      const instead = `${missing}, and until then a local window can stand in`;
      return { verdict, told: `${told}; ${instead}`, fix: `echo '${windowLike(schedule)}' | sudo tee ${shellWord(fragment)}` };
    }
  }
}

function openToAll(told: string, file: string): Finding {
  const fix = `sudo chmod o-w ${shellWord(dirname(file))} ${shellWord(file)}`;
  return warning(`${told}; every user of this host may change it`, fix);
}

function tellWritten({ modifiedAt }: Looked, writer: Writer, cluster: string | undefined): string {
  const from = cluster === undefined ? "" : ` by svc for the cluster ${cluster}`;
  const by = writer.kind === "known" ? `${writer.name} may write it` : `who writes it is not known (${writer.why})`;
  return `last written at ${printInstant(modifiedAt)}${from}, ${by}`;
}

/** The name of another file in the schedule's directory, which the fix would give away too. */
function besides(file: string): string | undefined {
  const name = basename(file);
  const found = reach(dirname(file), "refuse", (place) => ({ kind: "reached", name: firstBeside(name, place) }) as const);
  return found.kind === "reached" ? found.name : undefined;
}

/** The command that restores what enrolment made: the directory and the file, owned by the agent. */
function giveFix({ file }: ScheduleScene, user: string): string {
  const directory = shellWord(dirname(file));
  return `sudo mkdir -p ${directory} && sudo chown -R ${user}: ${directory} && sudo chmod -R u+rwX ${directory}`;
}

type Rights = Pick<Looked, "uid" | "gid" | "mode">;

const toWrite = 2;
const toPass = 1;

/** Whether the user can write the schedule. An existing file is overwritten, a missing one is made in its directory. */
export function mayWrite(account: Account, file: Rights | "missing", directory: Rights | "missing"): boolean {
  if (account.uid === 0) return true;
  if (directory === "missing") return false;
  if (file === "missing") return hasRights(account, directory, toWrite | toPass);
  return hasRights(account, directory, toPass) && hasRights(account, file, toWrite);
}

/** A directory where only owners may remove their files is not open to all. */
export function mayEverybodyWrite({ mode }: Pick<Rights, "mode">): boolean {
  return (mode & 0o1002) === toWrite;
}

/** Whether a user has these rights. Only one set counts: the owner's for the owner, the group's for its members, the others' for everybody else. */
function hasRights({ uid, gids }: Account, { uid: owner, gid: group, mode }: Rights, wanted: number): boolean {
  const shift = owner === uid ? 6 : gids.includes(group) ? 3 : 0;
  return ((mode >> shift) & wanted) === wanted;
}
