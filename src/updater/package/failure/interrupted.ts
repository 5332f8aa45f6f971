import { Fault } from "../../../rules/fault/fault.ts";

export const interruptedHint = "look into the system's journal for who ended it; the next pass tries again";

/**
 * What dpkg and rpm print for a script or helper that somebody killed: a person, systemd, or the kernel for lack of memory. A helper that crashes
 * gets other signals, and then the version is at fault.
 */
const endedHelper =
  /subprocess was killed by signal \((?:Hangup|Interrupt|Killed|Terminated)\)|scriptlet failed, signal (?:1|2|9|15)$/m;

/** Returns the fault, or one that blames no version if a signal killed a package script. */
export function orInterrupted(fault: Fault, output: string): Fault {
  if (fault.code !== "install-failed" || !endedHelper.test(output)) return fault;
  return new Fault("interrupted", { message: fault.message, hint: interruptedHint, cause: fault });
}

/** Whether a package script was killed. Then the package is not whole, whatever the database says. */
export function isOfScript({ code, cause }: Fault): boolean {
  return code === "interrupted" && cause instanceof Fault && cause.code === "install-failed";
}
