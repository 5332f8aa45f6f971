import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { projectRoot, type ProgramName } from "./project.ts";

/** A part of a program, stored in the executable as one text. Needing a part means needing those before it. */
export type QuietPart = { readonly name: string; readonly from: readonly string[] };

/** The commands that ask auth. A restore reads the store itself and needs more. */
const tctlCommands: readonly string[] = readdirSync(resolve(projectRoot, "src/cluster/tctl/commands"))
  .filter((name) => name !== "restore.ts")
  .toSorted()
  .map((name) => `src/cluster/tctl/commands/${name}`);

/**
 * The program of every host's pass, by the files that it begins with: these parts hold all their imports and nothing else. A part is read as a
 * whole, so each process reads only what it needs: the asking unit the first, a dry run the first two, a pass the first three, and each later one if
 * the host or its settings need it. The rest of the program is read on demand.
 */
export const quietParts: Readonly<Record<ProgramName, readonly QuietPart[]>> = {
  "svc-upgrade": [
    { name: "ask", from: ["src/svc-upgrade.ts", "src/updater/cli/commands/ask.ts"] },
    { name: "look", from: ["src/updater/cli/commands/dry-run.ts"] },
    { name: "pass", from: ["src/updater/cli/commands/pass.ts", "src/updater/socket/conversation.ts"] },
    // For settings with a local time: reads the instants from the calendar without loading the time zones.
    { name: "calendar", from: ["src/updater/sources/calendar.ts"] },
    // For hosts with rpm's database.
    {
      name: "rpm",
      from: [
        "src/updater/package/rpm/run-in-trusted.ts",
        "src/updater/package/yum/inspect.ts",
        "src/updater/package/zypper/inspect.ts",
      ],
    },
  ],
  // The server starts once and then runs for weeks, so it has one part.
  "svc-proxy": [{ name: "serve", from: ["src/svc-proxy.ts", "src/proxy/server/cli/serve.ts"] }],
  "svc-kube-updater": [{ name: "look", from: ["src/svc-kube-updater.ts", "src/kube/reconcile/commands.ts"] }],
  svc: [
    { name: "begin", from: ["src/svc.ts"] },
    // The commands that root types many times a day. The services start once, so they are in other parts.
    { name: "call", from: ["src/cluster/tctl/main.ts", ...tctlCommands] },
    // Every host keeps this part in memory, so it has no service that only some hosts run.
    { name: "host", from: ["src/cluster/svc/main.ts", "src/cluster/svc/cli/start.ts"] },
  ],
};
