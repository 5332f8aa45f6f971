import { Fault } from "../../rules/fault/fault.ts";
import { refuseForeign } from "../../machine/files/foreign-part.ts";
import { pathsBelow, type Paths } from "../../machine/files/paths.ts";
import type { CommandContext } from "./context.ts";
import type { SharedOptions } from "./options.ts";
import { isOwnRoot } from "../../machine/processes/booted.ts";

/** A command may change files on this machine as root, and below another root if no other user can write there. */
export function changeable(
  command: string,
  options: SharedOptions,
  { surroundings }: Pick<CommandContext, "surroundings">,
): Paths {
  const paths = pathsBelow(options.root);
  if (!isOwnRoot(paths)) refuseForeign(paths.root);
  else if (surroundings.userId !== 0) throw needsRoot(command);
  return paths;
}

export function needsRoot(command: string): Fault {
  return new Fault("not-permitted", {
    message: "this changes the host and needs root",
    hint: `\`sudo svc-upgrade ${command}\`, or only look: \`svc-upgrade dry-run\``,
  });
}
