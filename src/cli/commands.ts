import { build } from "../host/build.ts";
import { pathsBelow } from "../host/paths.ts";
import { prepare } from "../pass/prepare.ts";
import { ask } from "./ask.ts";
import { dryRun } from "./dry-run.ts";
import { flagFragments, openLog } from "./open.ts";
import { pass } from "./pass.ts";
import type { Commands } from "./program.ts";
import { run } from "./run.ts";
import { configJson, showConfig } from "./show-config.ts";
import type { Surroundings } from "./surroundings.ts";

export function commandsFor(surroundings: Surroundings): Commands {
  const { environment, userId, out } = surroundings;
  return {
    dryRun: async (options) => dryRun(options, { surroundings, log: await openLog(options, surroundings) }),
    run: async (options) => run(options, { surroundings, log: await openLog(options, surroundings) }),
    pass: async (options) => pass({ surroundings, log: await openLog(options, surroundings) }),
    ask: async (options) => ask({ surroundings, log: await openLog(options, surroundings) }),
    async config(options) {
      const log = await openLog(options, surroundings);
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
