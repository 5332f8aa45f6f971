import type { ChannelAnswer } from "../decide/facts.ts";
import type { InstalledPackage } from "../plan/facts.ts";
import type { Contact } from "../record/state.ts";
import type { Settings } from "../settings/settings.ts";
import { compareVersions, type Version } from "../version/version.ts";
import { printInstant } from "../window/instant.ts";

/** The version that the repositories have to offer, if there is one; else why not. */
export type Target =
  | { readonly kind: "version"; readonly version: Version; readonly by: string }
  | { readonly kind: "none"; readonly told: string }
  | { readonly kind: "unknown"; readonly told: string };

export type Knowledge = {
  readonly answer: ChannelAnswer | undefined;
  readonly lastContact: Contact | undefined;
  readonly installed: InstalledPackage;
  readonly downgrade: Settings["downgrade"];
};

/** By the channel's own word, else by what it said when a pass last reached it. */
export function targetOf({ answer, lastContact, installed, downgrade }: Knowledge): Target {
  const served = answer?.kind === "served" ? wordOf(answer) : lastContact?.served;
  if (served === undefined)
    return { kind: "unknown", told: "which version is served is not known: the channel gave no answer, now or before" };
  const by =
    answer?.kind === "served" || lastContact === undefined ? "the channel" : `the channel, at ${printInstant(lastContact.at)},`;
  if (served === "none") return { kind: "none", told: `${by} serves no version` };
  const have = installed.kind === "present" && installed.condition === "whole" ? installed.version : undefined;
  const order = have === undefined ? -1 : compareVersions(have, served);
  if (order === 0) return { kind: "none", told: `${by} serves ${served}, which is installed` };
  if (order > 0 && downgrade === "refuse") return { kind: "none", told: `${by} serves ${served}, older than what is installed` };
  return { kind: "version", version: served, by };
}

function wordOf({ served }: Extract<ChannelAnswer, { kind: "served" }>): Version | "none" {
  return served.kind === "none" ? "none" : served.version;
}
