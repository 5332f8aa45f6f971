import { dirname } from "node:path";
import { belowRoot, type Paths } from "../host/paths.ts";

/** What enroll writes, below whichever root. */
export type Places = {
  readonly root: string;
  readonly settings: string;
  readonly fragment: string;
  readonly directory: string;
  readonly schedule: string;
  readonly enrolment: string;
};

export function placesOf({ root, schedule, rootsDirectory }: Paths): Places {
  const settings = belowRoot(root, "/etc/svc-upgrade");
  return {
    root,
    settings,
    fragment: `${settings}/10-cluster.yaml`,
    directory: dirname(schedule),
    schedule,
    enrolment: `${rootsDirectory}/enrolment.json`,
  };
}
