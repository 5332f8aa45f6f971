import { faultsOnTheWay, sharedFaultsWith, type SharedFault } from "../session/faults.ts";

/** How tctl can end besides the cluster's own faults, in its words. */
export const sharedFaults: Readonly<Record<string, SharedFault>> = {
  ...sharedFaultsWith({
    usage: "the command line cannot be understood",
    bug: "a fault of the program itself",
    "file-failed": "a file could not be read or written",
    "path-untrusted": "another user could redirect what is written there",
    "not-permitted": "only root on the auth host, or the owner of a file, may do it",
  }),
  ...faultsOnTheWay,
};
