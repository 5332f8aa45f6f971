import { build } from "../host/build.ts";
import { pathsBelow } from "../host/paths.ts";
import { flagFragments, openLog } from "./open.ts";
import type { CommandContext } from "./dry-run.ts";
import type { Commands, SharedOptions } from "./program.ts";
import type { Surroundings } from "./surroundings.ts";

/** Each command is loaded when it is called: the dry run of every host pays for no other. */
export function commandsFor(surroundings: Surroundings): Commands {
  const { environment, userId, out } = surroundings;
  const context = async (options: SharedOptions): Promise<CommandContext> => ({
    surroundings,
    log: await openLog(options, surroundings),
  });
  return {
    dryRun: async (options) => (await import("./dry-run.ts")).dryRun(options, await context(options)),
    run: async (options) => (await import("./run.ts")).run(options, await context(options)),
    pass: async (options) => (await import("./pass.ts")).pass(await context(options)),
    ask: async (options) => (await import("./ask.ts")).ask(await context(options)),
    route: async (options) => (await import("./route.ts")).route(options, await context(options)),
    retry: async (options) => (await import("./retry.ts")).retry(options, await context(options)),
    async config(options) {
      const [{ prepare }, { configJson, showConfig }] = await Promise.all([
        import("../pass/prepare.ts"),
        import("./show-config.ts"),
      ]);
      const { log } = await context(options);
      const paths = pathsBelow(options.root);
      const ownerUid = paths.root === "/" ? 0 : userId;
      const { rows } = await prepare({ paths, environment, flags: flagFragments(options), ownerUid, log });
      out(options.json ? `${JSON.stringify(configJson(rows))}\n` : showConfig(rows));
      return 0;
    },
    version(options) {
      out(options.json ? `${JSON.stringify({ schema: 1, version: build.version })}\n` : `svc-upgrade ${build.version}\n`);
      return Promise.resolve(0);
    },
  };
}
