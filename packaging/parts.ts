import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { projectRoot, type ProgramName } from "./project.ts";

/** A part of a program, which the executable stores as one text. A program that reads a part also reads all parts before it. */
export type QuietPart = { readonly name: string; readonly from: readonly string[] };

/** The commands that ask auth. A restore is left out: it reads the store itself and needs more. */
const tctlCommands: readonly string[] = readdirSync(resolve(projectRoot, "src/cluster/tctl/commands"))
  .filter((name) => name !== "restore.ts")
  .toSorted()
  .map((name) => `src/cluster/tctl/commands/${name}`);

/**
 * The parts of each program, by the files that they begin with. A part has all imports of these files and nothing else, and is read as a whole. So each
 * process reads only what it needs: the asking unit reads the first part, a dry run two, a pass three. Later parts are read only if the host or its
 * settings need them, and so is the rest of the program.
 */
export const quietParts: Readonly<Record<ProgramName, readonly QuietPart[]>> = {
  "svc-upgrade": [
    { name: "ask", from: ["src/svc-upgrade.ts", "src/updater/cli/commands/ask.ts"] },
    { name: "look", from: ["src/updater/cli/commands/dry-run.ts"] },
    { name: "pass", from: ["src/updater/cli/commands/pass.ts", "src/updater/socket/conversation.ts"] },
    // For settings with a local time. Reads times from the stored calendar instead of loading the time zones.
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
  // One part is enough, because the server starts once and then runs for weeks.
  "svc-proxy": [{ name: "serve", from: ["src/svc-proxy.ts", "src/proxy/server/cli/serve.ts"] }],
  "svc-kube-updater": [{ name: "look", from: ["src/svc-kube-updater.ts", "src/kube/reconcile/commands.ts"] }],
  svc: [
    { name: "begin", from: ["src/svc.ts"] },
    // The commands that root types many times a day. The services start seldom, so they are in other parts.
    { name: "call", from: ["src/cluster/tctl/main.ts", ...tctlCommands] },
    // What every host runs and keeps in memory, so this part has no service that only some hosts run.
    { name: "host", from: ["src/cluster/svc/main.ts", "src/cluster/svc/cli/start.ts"] },
  ],
};
