import { Fault } from "../../../rules/fault/fault.ts";

export const interruptedHint = "look into the system's journal for who ended it; the next pass tries again";

/**
 * The words of dpkg and rpm for a script or helper that was killed: by a person, the service manager, or the kernel for lack of memory. A
 * helper that crashes gets other signals, and then the version is at fault.
 */
const endedHelper =
  /subprocess was killed by signal \((?:Hangup|Interrupt|Killed|Terminated)\)|scriptlet failed, signal (?:1|2|9|15)$/m;

/** Returns the fault. If a signal killed a package script, the fault blames no version. */
export function orInterrupted(fault: Fault, output: string): Fault {
  if (fault.code !== "install-failed" || !endedHelper.test(output)) return fault;
  return new Fault("interrupted", { message: fault.message, hint: interruptedHint, cause: fault });
}

/** A script was killed, so the package is not whole, whatever the database says. */
export function isOfScript({ code, cause }: Fault): boolean {
  return code === "interrupted" && cause instanceof Fault && cause.code === "install-failed";
}
