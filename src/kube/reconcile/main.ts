import { encode } from "../../rules/shape/write.ts";
import { endInLog } from "../../machine/command-line/end-in-log.ts";
import type { StartedProgram } from "../../machine/program/started.ts";
import { faultAnswer } from "../../rules/fault/fault-answer.ts";
import { faultsOf } from "../../rules/fault/program-faults.ts";
import { tellFault } from "../../rules/fault/tell-fault.ts";
import { asksForJson } from "../../machine/command-line/asks-json.ts";
import { runProgram } from "../../machine/command-line/run-program.ts";
import { defaultConfig, svcKubeUpdater } from "./tree.ts";

/** The whole program: takes arguments, writes answers and the log, and returns the exit status. Catches everything thrown. */
export async function main(started: StartedProgram): Promise<number> {
  const { argv, out, error } = started;
  const place = { error, stderrIs: "other" } as const;
  try {
    return await runProgram(svcKubeUpdater, argv, {
      out,
      context: (given) => ({ ...started, config: given.text("config") ?? defaultConfig }),
    });
  } catch (thrown) {
    const fault = tellFault(thrown, "svc-kube-updater");
    if (asksForJson(argv)) out(`${JSON.stringify(encode(faultAnswer(faultsOf["svc-kube-updater"]), fault))}\n`);
    return endInLog({ thrown, fault }, { argv, ...place });
  }
}
