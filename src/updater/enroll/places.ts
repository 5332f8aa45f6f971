import { dirname } from "node:path";
import { belowRoot, placeBelow, type Paths } from "../../machine/files/paths.ts";
import type { FileOnHost } from "../../rules/settings/settings.ts";

/** What enroll writes, below any root. */
export type Places = {
  readonly root: string;
  readonly settings: string;
  readonly fragment: string;
  readonly enrolment: string;
};

/** What enroll gives to the agent's user. */
export type SchedulePlaces = { readonly root: string; readonly directory: string; readonly schedule: string };

export function placesOf({ root, rootsDirectory }: Paths): Places {
  const settings = belowRoot(root, "/etc/svc-upgrade");
  return { root, settings, fragment: `${settings}/10-cluster.yaml`, enrolment: `${rootsDirectory}/enrolment.json` };
}

export function schedulePlacesOf({ root }: Pick<Paths, "root">, file: FileOnHost): SchedulePlaces {
  const schedule = placeBelow(root, file);
  return { root, directory: dirname(schedule), schedule };
}
