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
  /** "unknown": the lists cannot be read, for example after a power cut. A refresh makes them again. */
  readonly offers: "known" | "unknown";
};
type Known = {
  readonly name: PackageName;
  readonly channel: ChannelName;
  readonly state: State;
  readonly pin: Pin | undefined;
  /** "memory": the last answer is used in place of the channel's, and is already remembered. */
  readonly asks: "channel" | "memory" | "nobody";
};

/** Looks at the host and asks the channel, side by side. Changes nothing. */
export async function observe(observers: Observers, { name, channel, state, pin, asks }: Known): Promise<Observation> {
  const clock = observers.readClock();
  // Asks the channel first, so that its answer travels while local programs look at the package.
  const installing = Promise.withResolvers<Version | undefined>();
  // Ignores a failure here, because the asking side may never await this promise. `finding` reports the same failure.
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

/** Loads this only for a held package: few are held, and passes are many. */
async function unholding(manager: PackageManager, name: PackageName): Promise<Pick<Facts, "unhold">> {
  const { unholdCommand } = await import("../package/manager/by-hand.ts");
  return { unhold: unholdCommand(manager, name) };
}

/** The package that was asked for if it is offered; otherwise the manager's first offer of its version. */
export function offerOf(
  offers: readonly PackageVersion[],
  wanted: Version,
  exactly?: PackageVersion,
): PackageVersion | undefined {
  return offers.find((offer) => offer === exactly) ?? offers.find((offer) => isOfVersion(offer, wanted));
}

/** The packages in which a rejected version is offered now, because it may have been rebuilt. Asks the repositories only for a rejected version. */
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

/** If the repositories cannot be asked, the pass goes on and the version stays rejected. */
function unlessBug(thrown: unknown): "unknown" {
  if (thrown instanceof Fault) return "unknown";
  throw thrown;
}
