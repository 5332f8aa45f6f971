import { agentPathsBelow } from "../../machine/files/paths.ts";
import { asFault } from "../../rules/fault/explain.ts";
import type { Binary } from "../plan/host-facts.ts";
import { memoryOf } from "../record/remember.ts";
import type { Endpoint, Settings, UnitName } from "../../rules/settings/settings.ts";
import { checkKept, companionsIn } from "../store/ledger-file.ts";
import { stateIn } from "../store/state-file.ts";
import { askBinary } from "../unit/version-command.ts";
import type { PackageVersion } from "../../rules/version/wrapped.ts";
import { examineAgent } from "./agent.ts";
import { judgeBinary, examinePackage } from "./package.ts";
import type { Check } from "./check.ts";
import { examineClock } from "./clock.ts";
import { examineDisk } from "./disk.ts";
import { alongIn, examinePrevious } from "./previous.ts";
import { findManager, withManager, type Found, type FoundManager, examineManager, examineRivals } from "./manager.ts";
import { examineNotify } from "./notify.ts";
import { networkUnproved, type ProvedNetwork } from "./network.ts";
import { check, findingOf, toldWithHint } from "./finding-of-fault.ts";
import { changeFor, examineOffer, type OfferScene } from "./offer.ts";
import { examineSchedule, type Writer } from "./schedule.ts";
import { withoutPrograms, withoutUnits, type Scope } from "./scope.ts";
import { examineSettings } from "./settings.ts";
import { targetOf } from "./target.ts";
import { examineTimer } from "./timer.ts";
import { accountOf, userOf } from "./account.ts";

/** Yields every check in the order of the output. A check waits only for those that it needs. */
export async function* examine(scope: Scope): AsyncGenerator<Check> {
  const { finding, settings, endpoint } = await examineSettings(scope.sources);
  yield { name: "settings", ...finding };
  const found = findManager(scope, settings);
  const network = provedNetwork(scope, { settings, endpoint, found });
  const host = hostChecks(scope, settings, { network, found });
  yield* (await network).checks.map(withLineToType);
  for (const next of host) yield await next;
}

type Asked = { readonly network: Promise<ProvedNetwork>; readonly found: Promise<Found> };

function hostChecks(scope: Scope, settings: Settings, { network, found }: Asked): readonly Promise<Check>[] {
  const { sources, reach, run, readClock } = scope;
  const { paths } = sources;
  const { unit, package: name, versionCommand } = settings.agent;
  const state = stateIn(paths);
  const offers = offersOf(found, settings);
  const kept = state.kept.filter((one) => checkKept(paths, one).kind === "whole");
  const binary = withoutPrograms(reach) === undefined ? askBinary(run, versionCommand) : Promise.resolve(notAsked);
  // Another check reports that the binary could not be asked.
  const binarySeen = binary.catch(() => notAsked);
  const prospect = async (known: FoundManager): Promise<OfferScene> => {
    const { detected, examiner } = known;
    const { answer } = await network;
    const { lastContact, backoff } = state;
    const { now } = readClock();
    const seen = { answer, lastContact, installed: detected.installed, binary: await binarySeen };
    const target = targetOf({ ...seen, memory: memoryOf(state, "unknown"), now, settings });
    return { settings, target, detected, examiner, offers: await offers, kept, beside: companionsIn(paths), backoff, now };
  };
  return [
    check("schedule", async () =>
      examineSchedule({
        file: agentPathsBelow(paths.root, settings.agentFiles).schedule,
        fragment: `${paths.settingsDirectories.at(-1)}/60-window.yaml`,
        unit,
        settings,
        writer: await writerOf(scope, unit),
        now: () => readClock().now,
      }),
    ),
    check("package", () =>
      withManager(found, ({ detected, examiner }) => examinePackage({ settings, detected, remedies: examiner.remedies })),
    ),
    check("manager", async () => {
      const known = await found;
      return known.kind === "found" ? examineManager(known.examiner) : findingOf(known.thrown);
    }),
    check("offer", () => withManager(found, async (known) => examineOffer(await prospect(known)))),
    check("previous", () =>
      withManager(found, async (known) =>
        examinePrevious({
          settings,
          installed: known.detected.installed,
          examiner: known.examiner,
          // Is awaited first, so that its failure is caught here.
          offers: await offers,
          along: await alongIn(await prospect(known).then(changeFor, () => undefined), known.detected.manager, paths),
          kept,
          fragment: `${paths.settingsDirectories.at(-1)}/60-keep-previous.yaml`,
        }),
      ),
    ),
    check("disk", () =>
      withManager(found, async (known) => {
        const change = await prospect(known).then(changeFor, () => undefined);
        return examineDisk({ name, change, examiner: known.examiner, stateDirectory: paths.stateDirectory });
      }),
    ),
    check("agent", () => withoutUnits(reach) ?? examineAgent(run, { unit, bootId: readClock().bootId, before: state.agent })),
    check("binary", () =>
      withManager(found, async ({ detected }) => withoutPrograms(reach) ?? judgeBinary(await binary, detected.installed)),
    ),
    check("timer", () => withoutUnits(reach) ?? examineTimer(run)),
    check("clock", async () => {
      const known = await found;
      return examineClock(scope, state, known.kind === "found" ? known.examiner.remedies.keepTime : undefined);
    }),
    check("rivals", () => withManager(found, ({ examiner }) => withoutUnits(reach) ?? examineRivals(examiner, name))),
    ...(settings.notify.command.length === 0
      ? []
      : [check("notify", () => withoutUnits(reach) ?? examineNotify(settings.notify))]),
  ];
}

type Asking = { readonly settings: Settings; readonly endpoint: Endpoint | undefined; readonly found: Promise<Found> };

/** Checks the hops. Without an endpoint nothing can be asked. If the walk itself fails, its first hop is reported as failed. */
async function provedNetwork(scope: Scope, { settings, endpoint, found }: Asking): Promise<ProvedNetwork> {
  if (endpoint === undefined) return { checks: networkUnproved("no endpoint is known: see settings"), answer: undefined };
  try {
    const installed = found.then((known) => (known.kind === "found" ? known.detected.installed.version : undefined));
    return await scope.proveNetwork(settings, endpoint, installed);
  } catch (thrown) {
    const [first, ...others] = networkUnproved(asFault(thrown).message);
    return { checks: first === undefined ? others : [{ ...first, ...findingOf(thrown) }, ...others], answer: undefined };
  }
}

/** Adds a command to type: most hops report a fault in its own words, with a sentence as hint. */
function withLineToType({ name, verdict, told, fix }: Check): Check {
  return { name, verdict, ...(fix === undefined ? { told } : toldWithHint(told, fix)) };
}

/** Asks once for all checks. If it fails, each check that waits for it reports that. */
async function offersOf(found: Promise<Found>, { agent }: Settings): Promise<readonly PackageVersion[]> {
  const known = await found;
  return known.kind === "found" ? known.detected.manager.offers(agent.package) : [];
}

const notAsked: Binary = { kind: "not-asked" };

/** The user who writes the schedule: the user of the agent's unit. */
async function writerOf({ run, reach }: Pick<Scope, "run" | "reach">, unit: UnitName): Promise<Writer> {
  const skipped = withoutUnits(reach);
  if (skipped !== undefined) return { kind: "unknown", why: skipped.told };
  const { name, kind } = await userOf(run, unit);
  if (kind === "fleeting") return { kind: "unknown", why: `${unit} runs as a user that exists only while it runs` };
  const account = await accountOf(run, name);
  return account === undefined
    ? { kind: "unknown", why: `there is no user ${name}, whom ${unit} names` }
    : { kind: "known", name, account };
}
