import type { ProgramName } from "./project.ts";

/** A part of a program, which lies in the executable as one text. Whoever needs a part needs those before it as well. */
export type QuietPart = { readonly name: string; readonly from: readonly string[] };

/**
 * What every host runs every ten minutes, by the files that it begins with: all that they import is in these parts, and nothing else is.
 * A part is read as a whole and in one go, so that each process takes no more than it needs: the asking unit the first, a dry run the
 * first two, a pass all three. The rest of the program lies beside, and is read when it is asked for.
 */
export const quietParts: Readonly<Record<ProgramName, readonly QuietPart[]>> = {
  "svc-upgrade": [
    { name: "ask", from: ["src/svc-upgrade.ts", "src/cli/commands/ask.ts"] },
    { name: "look", from: ["src/cli/commands/dry-run.ts"] },
    { name: "pass", from: ["src/cli/commands/pass.ts", "src/socket/conversation.ts"] },
  ],
  // It starts once, and then serves for weeks.
  "svc-proxy": [{ name: "serve", from: ["src/svc-proxy.ts"] }],
};
