import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { projectRoot, type ProgramName } from "./project.ts";

/** A part of a program, which lies in the executable as one text. Whoever needs a part needs those before it as well. */
export type QuietPart = { readonly name: string; readonly from: readonly string[] };

/** Those that ask auth. A restore reads the store by itself, and needs more. */
const tctlCommands: readonly string[] = readdirSync(resolve(projectRoot, "src/cluster/tctl/commands"))
  .filter((name) => name !== "restore.ts")
  .toSorted()
  .map((name) => `src/cluster/tctl/commands/${name}`);

/**
 * What every host runs every ten minutes, by the files that it begins with: all that they import is in these parts, and nothing else is.
 * A part is read as a whole and in one go, so that each process takes no more than it needs: the asking unit the first, a dry run the
 * first two, a pass the first three, and each other one where its host or its settings call for that. The rest of the program lies
 * beside, and is read when it is asked for.
 */
export const quietParts: Readonly<Record<ProgramName, readonly QuietPart[]>> = {
  "svc-upgrade": [
    { name: "ask", from: ["src/svc-upgrade.ts", "src/updater/cli/commands/ask.ts"] },
    { name: "look", from: ["src/updater/cli/commands/dry-run.ts"] },
    { name: "pass", from: ["src/updater/cli/commands/pass.ts", "src/updater/socket/conversation.ts"] },
    // Where a setting is a local time: what it comes to is read there, and the time zones are not.
    { name: "calendar", from: ["src/updater/sources/calendar.ts"] },
    // Where rpm's database is asked.
    {
      name: "rpm",
      from: [
        "src/updater/package/rpm/run-in-trusted.ts",
        "src/updater/package/yum/inspect.ts",
        "src/updater/package/zypper/inspect.ts",
      ],
    },
  ],
  // It starts once, and then serves for weeks.
  "svc-proxy": [{ name: "serve", from: ["src/svc-proxy.ts", "src/proxy/server/cli/serve.ts"] }],
  "svc-kube-updater": [{ name: "look", from: ["src/svc-kube-updater.ts", "src/kube/reconcile/commands.ts"] }],
  svc: [
    { name: "begin", from: ["src/svc.ts"] },
    // What root types many times a day. The services, which start once, lie beside.
    { name: "call", from: ["src/cluster/tctl/main.ts", ...tctlCommands] },
    // What every host keeps in memory for good: a service that it does not have is not read.
    { name: "host", from: ["src/cluster/svc/main.ts", "src/cluster/svc/cli/start.ts"] },
  ],
};
