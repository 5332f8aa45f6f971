import type { ChannelName } from "../../rules/channel/path.ts";
import { Fault } from "../../rules/fault/fault.ts";
import type { PackageManager } from "../package/manager/manager.ts";
import type { Pin } from "../../rules/decide/gate-policy.ts";
import { wantedBy } from "../../rules/decide/served.ts";
import { judgeClock, type ClockReading } from "../../rules/decide/clock-verdict.ts";
import type { Facts, OfferedPackage } from "../plan/host-facts.ts";
import { memoryOf, versionsHeard } from "../record/remember.ts";
import type { State } from "../record/state.ts";
import type { PackageName } from "../../rules/settings/settings.ts";
import type { Version } from "../../rules/version/version.ts";
import { isOfVersion, type PackageVersion } from "../../rules/version/wrapped.ts";
import type { Observers } from "./ports.ts";

export type Observation = {
  readonly facts: Facts;
  readonly clock: ClockReading;
  readonly manager: PackageManager;
  /** "unknown": the lists could not be read, for example because a power cut damaged them. A refresh makes them again. */
  readonly offers: "known" | "unknown";
};
type Known = {
  readonly name: PackageName;
  readonly channel: ChannelName;
  readonly state: State;
  readonly pin: Pin | undefined;
  /** "memory": the last answer stands for the channel's, and is remembered already. */
  readonly asks: "channel" | "memory" | "nobody";
};

/** Looks at the host and asks the channel, side by side. Changes nothing. */
export async function observe(observers: Observers, { name, channel, state, pin, asks }: Known): Promise<Observation> {
  const clock = observers.readClock();
  // The channel is asked first, so that its answer travels while local programs look at the package.
  const installing = Promise.withResolvers<Version | undefined>();
  // The asking side may never await it; the finding itself reports a failure.
  installing.promise.catch(() => undefined);
  const asking: Promise<Facts["answer"]> | Facts["answer"] =
    asks === "nobody" ? { kind: "not-asked" } : observers.askChannel(installing.promise);
  const finding = observers.findManager();
  finding.then((found) => installing.resolve(found.installed.version), installing.reject);
  const [{ manager, installed }, binary, schedule, agent, answer] = await Promise.all([
    finding,
    observers.askBinary(),
    observers.readSchedule(),
    observers.watchAgent(state.agent),
    asking,
  ]);
  const judged = judgeClock(clock, observers.builtAt, { lastRecord: state.clock, lastDoubted: state.doubtedClock });
  const answered = { now: clock.now, clock: judged, answer };
  const heard = asks === "channel" ? versionsHeard(state, answered, channel) : state.heard;
  const again = await offeredAgain(manager, { name, state, pin }, answer).catch((thrown: unknown) => unlessBug(thrown));
  const facts: Facts = {
    ...answered,
    installed,
    ...(installed.isHeld === true ? await unholding(manager, name) : {}),
    binary: installed.kind === "absent" ? { kind: "not-asked" } : binary,
    offered: again === "unknown" ? undefined : again,
    schedule,
    agent,
    memory: { ...memoryOf(state, agent), heard },
  };
  return { facts, clock, manager, offers: again === "unknown" ? "unknown" : "known" };
}

/** Loaded only if needed: few packages are held, and a pass runs with every tick. */
async function unholding(manager: PackageManager, name: PackageName): Promise<Pick<Facts, "unhold">> {
  const { unholdCommand } = await import("../package/manager/by-hand.ts");
  return { unhold: unholdCommand(manager, name) };
}

/** The asked-for package if it is offered; otherwise the manager's first offer of that version. */
export function offerOf(
  offers: readonly PackageVersion[],
  wanted: Version,
  exactly?: PackageVersion,
): PackageVersion | undefined {
  return offers.find((offer) => offer === exactly) ?? offers.find((offer) => isOfVersion(offer, wanted));
}

/** A rejected version may be offered again in a rebuilt package. The repositories are asked only for a rejected version. */
export async function offeredAgain(
  manager: PackageManager,
  { name, state, pin }: Pick<Known, "name" | "state" | "pin">,
  answer: Facts["answer"],
): Promise<OfferedPackage | undefined> {
  const wanted = wantedBy(answer, pin);
  if (wanted.kind !== "version" || !state.rejected.some((row) => row.served === wanted.version)) return undefined;
  const packageVersion = offerOf(await manager.offers(name), wanted.version);
  return packageVersion && { packageVersion, build: await manager.buildOf(name, packageVersion) };
}

/** A failed question does not stop the pass: a rejected version stays rejected meanwhile. */
function unlessBug(thrown: unknown): "unknown" {
  if (thrown instanceof Fault) return "unknown";
  throw thrown;
}
