import { faultsOnTheWay, sharedFaultsWith, type SharedFault } from "../session/faults.ts";

/** How tsh can end besides the cluster's own faults. */
export const sharedFaults: Readonly<Record<string, SharedFault>> = {
  ...sharedFaultsWith({
    usage: "the command line cannot be understood",
    bug: "a fault of the program itself",
    "file-failed": "a file could not be read or written",
  }),
  ...faultsOnTheWay,
};
