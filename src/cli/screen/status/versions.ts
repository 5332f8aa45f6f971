import type { StatusView } from "../../../status/view.ts";
import { tellAway } from "../../times/moment.ts";

/** `svc-ent 15.4.5 is installed; the channel served 15.4.6 (4 minutes ago)`: in every answer, whatever it is. */
export function haveAndServed(view: StatusView): string {
  return `${have(view)}; ${served(view)}`;
}

function have({ seen: { settings, installed }, memory }: StatusView): string {
  const name = settings?.settings.agent.package ?? "the agent";
  if (installed === undefined) {
    const last = memory.passes.find((pass) => pass.installed !== undefined)?.installed;
    return last === undefined ? `what is installed of ${name} is not known` : `${name} ${last} was installed at the last pass`;
  }
  if (installed.kind === "absent") return `${name} is not installed`;
  const version = installed.version ?? installed.packageVersion;
  return `${name} ${version} is ${installed.condition === "whole" ? "installed" : "only half installed"}`;
}

function served({ seen: { state, now }, memory: { lastContact } }: StatusView): string {
  if (state.kind !== "state") return "what the channel served is not known";
  if (lastContact === undefined) return "the channel has given no answer yet";
  const what = lastContact.served === "none" ? "no version" : lastContact.served;
  return `the channel served ${what} (${tellAway(lastContact.at, now)})`;
}
