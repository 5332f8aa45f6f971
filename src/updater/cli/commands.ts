import { build } from "../../machine/program/program-build.ts";
import { parse } from "../../machine/command-line/commander.ts";
import { pathsBelow } from "../../machine/files/paths.ts";
import { openLog } from "./open.ts";
import type { CommandContext } from "./context.ts";
import type { Commands, SharedOptions } from "./options.ts";
import type { Surroundings } from "./surroundings.ts";
import { commandTree, sharedFlags } from "./tree.ts";

/** Parses what was said, and runs it. */
export async function runSpoken(surroundings: Surroundings): Promise<number> {
  let status = 0;
  const commands = commandsFor(surroundings);
  const program = commandTree({ commands, end: (ended) => (status = ended), out: surroundings.out });
  await parse(program, surroundings.argv, sharedFlags);
  return status;
}

/** Each command is loaded when it is called: the dry run of every host pays for no other. */
function commandsFor(surroundings: Surroundings): Commands {
  const { out } = surroundings;
  const context = async (options: SharedOptions): Promise<CommandContext> => ({
    surroundings,
    log: await openLog(options, surroundings),
  });
  return {
    status: async (options) => (await import("./commands/status.ts")).status(options, await context(options)),
    history: async (options) => (await import("./commands/history.ts")).history(options, await context(options)),
    doctor: async (options) => (await import("./commands/doctor.ts")).doctor(options, await context(options)),
    hold: async (options) => (await import("./commands/hold.ts")).hold(options, await context(options)),
    unhold: async (options) => (await import("./commands/hold.ts")).unhold(options, await context(options)),
    pin: async (options) => (await import("./commands/pin.ts")).pin(options, await context(options)),
    unpin: async (options) => (await import("./commands/pin.ts")).unpin(options, await context(options)),
    rollback: async (options) => (await import("./commands/run.ts")).rollback(options, await context(options)),
    schedule: async (options) => (await import("./commands/schedule.ts")).schedule(options, await context(options)),
    notify: async (options) => (await import("./commands/notify.ts")).notify(options, await context(options)),
    enroll: async (options) => (await import("./commands/enroll.ts")).enroll(options, await context(options)),
    unenroll: async (options) => (await import("./commands/enroll.ts")).unenroll(options, await context(options)),
    dryRun: async (options) => (await import("./commands/dry-run.ts")).dryRun(options, await context(options)),
    run: async (options) => (await import("./commands/run.ts")).run(options, await context(options)),
    pass: async (options) => (await import("./commands/pass.ts")).pass(await context(options)),
    ask: async (options) => (await import("./commands/ask.ts")).ask(await context(options)),
    act: async (options) => (await import("./commands/act.ts")).act(await context(options)),
    route: async (options) => (await import("./commands/route.ts")).route(options, await context(options)),
    retry: async (options) => (await import("./commands/retry.ts")).retry(options, await context(options)),
    async config(options) {
      const [{ prepare }, { sourcesOf }, { configAnswer, showConfig }] = await Promise.all([
        import("../sources/settings.ts"),
        import("./wiring/sources.ts"),
        import("./commands/show-config.ts"),
      ]);
      const { rows } = await prepare(sourcesOf(pathsBelow(options.root), await context(options), options));
      out(options.json ? `${JSON.stringify(configAnswer.write(rows))}\n` : showConfig(rows));
      return 0;
    },
    async version(options) {
      const { versionAnswer } = await import("./json/version.ts");
      const { version } = build;
      out(options.json ? `${JSON.stringify(versionAnswer.write(version))}\n` : `svc-upgrade ${version}\n`);
      return 0;
    },
  };
}
