import { Fault } from "../../../rules/fault/fault.ts";

export const interruptedHint = "look into the system's journal for who ended it; the next pass tries again";

/**
 * A script or another helper of dpkg or rpm that was ended, in their words: by a person, by the service manager, or by the kernel
 * for its memory. One that crashes gets other signals, and is the version's own fault.
 */
const endedHelper =
  /subprocess was killed by signal \((?:Hangup|Interrupt|Killed|Terminated)\)|scriptlet failed, signal (?:1|2|9|15)$/m;

/** The same fault; but nobody's where the package manager says that a script of the package was ended by a signal. */
export function orInterrupted(fault: Fault, output: string): Fault {
  if (fault.code !== "install-failed" || !endedHelper.test(output)) return fault;
  return new Fault("interrupted", { message: fault.message, hint: interruptedHint, cause: fault });
}

/** A script was ended: then the package is not whole, whatever the database says of it. */
export function isOfScript({ code, cause }: Fault): boolean {
  return code === "interrupted" && cause instanceof Fault && cause.code === "install-failed";
}
