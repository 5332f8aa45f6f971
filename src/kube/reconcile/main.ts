import { build } from "../../machine/program/program-build.ts";
import { openLog } from "../../machine/logging/open-log.ts";
import { endInLog } from "../../machine/command-line/end-in-log.ts";
import type { StartedProgram } from "../../machine/program/started.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { faultAnswer } from "../../rules/fault/fault-answer.ts";
import { faultsOf } from "../../rules/fault/program-faults.ts";
import { tellFault } from "../../rules/fault/tell-fault.ts";
import { chooseObject, findObject } from "../objects/choose-object.ts";
import { updaterLabel } from "../objects/labelled-keys.ts";
import { commonOf, type EachObject, type Followed, type UpdaterSettings } from "../objects/settings.ts";
import type { Ask } from "../objects/seen.ts";
import { ask } from "./ask.ts";
import { dryRun } from "./dry-run.ts";
import { loadSettings } from "./load-settings.ts";
import { run } from "./start.ts";
import { status, type Format } from "./status.ts";
import { objectsOf } from "./watching.ts";
import { runTree, type Commands, type Options } from "./tree.ts";

/** The whole program: arguments in, answer and log out, exit status back. Whatever was thrown ends here. */
export async function main(started: StartedProgram): Promise<number> {
  const { argv, out, error } = started;
  const place = { error, stderrIs: "other" } as const;
  try {
    return await runTree(argv, commandsFor(started), out);
  } catch (thrown) {
    const fault = tellFault(thrown, "svc-kube-updater");
    if (argv.includes("--json")) out(`${JSON.stringify(faultAnswer(faultsOf["svc-kube-updater"]).write(fault))}\n`);
    return endInLog({ thrown, fault }, { argv, ...place });
  }
}

/** The status for --exit-code, the same as svc-upgrade's. */
const statusAvailable = 100;

function commandsFor({ environment, out, error, stopping }: StartedProgram): Commands {
  const settingsOf = ({ config }: Options): Promise<Followed> => loadSettings(config, environment);
  const asking = async (asked: Ask, options: Options, typed: readonly string[]): Promise<number> => {
    const each = await objectsOf(await settingsOf(options), stopping);
    const { object, version } = typedFor(asked, typed, each);
    out(await ask({ ask: asked, version }, formatOf(options), { settings: chooseObject(each, object), stopping }));
    return 0;
  };
  const oneOf = async (followed: Followed, typed: string): Promise<Followed> => ({
    kind: "settings",
    settings: [chooseObject(await objectsOf(followed, stopping), typed)],
  });
  return {
    start: async (options) => {
      const log = await openLog(options, { error, stderrIs: "other" });
      await run(await settingsOf(options), { environment, log, stopping });
      return 0;
    },
    check: async (options) => {
      const followed = await settingsOf(options);
      out(`${options.config} is right: ${listed(followed)}, in ${commonOf(followed).namespace}\n`);
      return 0;
    },
    status: async (options, { args: [typed] }) => {
      const followed = await settingsOf(options);
      out(await status(typed === undefined ? followed : await oneOf(followed, typed), formatOf(options), stopping));
      return 0;
    },
    dryRun: async (options, { flag, args: [typed] }) => {
      const log = await openLog(options, { error, stderrIs: "other" });
      const followed = await settingsOf(options);
      const choose = (each: EachObject): readonly UpdaterSettings[] => (typed === undefined ? each : [chooseObject(each, typed)]);
      const { answer, isAvailable } = await dryRun(followed, formatOf(options), { choose, environment, log, stopping });
      out(answer);
      return flag("exitCode") && isAvailable ? statusAvailable : 0;
    },
    run: (options, { flag, args }) => {
      if (flag("now")) return asking("runNow", options, args);
      throw new Fault("usage", {
        message: "the updater looks by itself all the time: `run` is for what it would wait with",
        hint: "see what it would do: `svc-kube-updater dry-run`; to have it done now: `svc-kube-updater run --now`",
      });
    },
    retry: (options, { args }) => asking("retry", options, args),
    rollback: (options, { args }) => asking("rollback", options, args),
    version: () => {
      out(`svc-kube-updater ${build.version}\n`);
      return Promise.resolve(0);
    },
  };
}

function listed(followed: Followed): string {
  if (followed.kind === "labelled") {
    const { updater, container } = followed.labelled;
    return `each StatefulSet and Deployment with the label ${updaterLabel}=${updater}, container ${container}`;
  }
  return followed.settings.map(({ object: { kind, name, container } }) => `${kind} ${name}, container ${container}`).join("; ");
}

type Typed = { readonly object: string | undefined; readonly version: string | undefined };

/** `retry 15.4.6` names no object: where none has that name it is the version. */
function typedFor(asked: Ask, [first, second]: readonly string[], each: EachObject): Typed {
  const isVersion = asked === "retry" && first !== undefined && second === undefined && !first.includes("/");
  if (isVersion && findObject(each, first) === undefined) return { object: undefined, version: first };
  return { object: first, version: second };
}

function formatOf({ isJson }: Options): Format {
  return isJson ? "json" : "screen";
}
