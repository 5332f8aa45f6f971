import type { ChannelAnswer } from "../../rules/decide/gate-facts.ts";
import type { Binary, InstalledPackage, HostMemory } from "../plan/host-facts.ts";
import { packageToPutBack, targetOf as planned } from "../plan/target.ts";
import type { Contact } from "../record/state.ts";
import type { Settings } from "../../rules/settings/settings.ts";
import type { Version } from "../../rules/version/version.ts";
import type { PackageVersion } from "../../rules/version/wrapped.ts";
import { printInstant } from "../../rules/window/instant.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

/** The version that the repositories should offer; or why there is no such version. */
export type DoctorTarget =
  /** `exactly` is the wanted package, if one is known. */
  | { readonly kind: "version"; readonly version: Version; readonly told: string; readonly exactly?: PackageVersion | undefined }
  | { readonly kind: "none"; readonly told: string }
  | { readonly kind: "unknown"; readonly told: string };

export type Knowledge = {
  readonly answer: ChannelAnswer | undefined;
  readonly lastContact: Contact | undefined;
  readonly installed: InstalledPackage;
  readonly binary: Binary;
  readonly memory: HostMemory;
  readonly now: UnixSeconds;
  readonly settings: Pick<Settings, "downgrade" | "pin">;
};

/** What a pass would move to: by the channel's answer, otherwise by its last answer to a pass. */
export function targetOf(known: Knowledge): DoctorTarget {
  const { installed, settings } = known;
  const { downgrade, pin } = settings;
  const { by, answer } = lastWord(known);
  const target = planned({ ...known, answer }, { asked: { when: "timer", absent: "install" }, pin });
  const says = (to: Version): string => (pin === undefined ? `${by} serves ${to}` : `${to} is pinned`);
  switch (target.kind) {
    case "unanswered":
      return { kind: "unknown", told: "which version is served is not known: the channel gave no answer, now or before" };
    case "unreadable":
      return { kind: "unknown", told: `the installed package version ${target.packageVersion} holds no semantic version` };
    case "no-version":
      return { kind: "none", told: `${by} serves no version` };
    case "unconfirmed":
      return { kind: "unknown", told: "which version is served is not known: the proxy has not heard from auth for a while" };
    case "current":
      return { kind: "none", told: `${by} serves ${target.version}, which is installed` };
    case "pinned":
      return { kind: "none", told: `${target.pin.version} is pinned, and installed` };
    case "repair":
      return {
        kind: "version",
        version: target.to,
        told: `${target.why}, so the next pass puts ${target.to} in place`,
        exactly: packageToPutBack(target, installed),
      };
    case "downgrade":
      if (downgrade === "refuse") return { kind: "none", told: `${says(target.to)}, older than the installed version` };
      return { kind: "version", version: target.to, told: says(target.to) };
    case "install":
    case "upgrade":
      return { kind: "version", version: target.to, told: says(target.to) };
    case "absent":
    case "no-way-back":
      throw new Error(`nobody asked for a target that is ${target.kind}`);
  }
}

type Word = { readonly by: string; readonly answer: ChannelAnswer | { readonly kind: "not-asked" } };

function lastWord({ answer, lastContact }: Knowledge): Word {
  if (answer?.kind === "served") return { by: "the channel", answer };
  if (lastContact === undefined) return { by: "nobody", answer: { kind: "not-asked" } };
  const { at, served: word, isCritical } = lastContact;
  const served = word === "none" ? ({ kind: "none" } as const) : ({ kind: "version", version: word } as const);
  return { by: `the channel, at ${printInstant(at)},`, answer: { kind: "served", served, isCritical } };
}
