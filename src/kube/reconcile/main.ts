import { build } from "../../machine/program/program-build.ts";
import { openLog } from "../../machine/logging/open-log.ts";
import { spoken } from "../../machine/command-line/flag-value.ts";
import type { StartedProgram } from "../../machine/program/started.ts";
import { tellFault } from "../../rules/fault/explain-cluster.ts";
import { loadSettings } from "./load.ts";
import { run } from "./start.ts";
import { runTree, type Commands } from "./tree.ts";

/** The whole program: arguments in, answer and log out, exit status back. Whatever was thrown ends here. */
export async function main(started: StartedProgram): Promise<number> {
  const { argv, out, error } = started;
  const place = { error, stderrIs: "other" } as const;
  try {
    return await runTree(argv, commandsFor(started), out);
  } catch (thrown) {
    const { code, exit, message, hint } = tellFault(thrown, "svc-kube-updater");
    // The options were not understood, or are gone with the command: what they say of the log still holds.
    const log = await openLog({ logFormat: spoken(argv, "--log-format"), logLevel: spoken(argv, "--log-level") }, place);
    const [first = "", ...details] = message.split("\n");
    log("error", `${first.replace(/:$/, "")}; ${hint}`, { fault: code });
    for (const detail of details) log("error", detail, {});
    if (code === "bug" && thrown instanceof Error) log("debug", "where it came from", { stack: thrown.stack });
    return exit;
  }
}

function commandsFor({ environment, out, error, stopping }: StartedProgram): Commands {
  return {
    start: async ({ config, ...options }) => {
      const log = await openLog(options, { error, stderrIs: "other" });
      await run(await loadSettings(config, environment), { environment, log, stopping });
      return 0;
    },
    check: async ({ config }) => {
      const { object } = await loadSettings(config, environment);
      out(`${config} is right: ${object.kind} ${object.name}, container ${object.container}, in ${object.namespace}\n`);
      return 0;
    },
    version: () => {
      out(`svc-kube-updater ${build.version}\n`);
      return Promise.resolve(0);
    },
  };
}
