import { encode } from "../../rules/shape/write.ts";
import { asFault, exitStatus, faultData } from "../../rules/fault/explain.ts";
import { spoken } from "../../machine/command-line/flag-value.ts";
import { openLog } from "./open.ts";
import { quietCommand } from "./quiet.ts";
import type { Surroundings } from "./surroundings.ts";

/** The whole program: takes arguments, writes answers and the log, and returns the exit status. Catches everything thrown. */
export async function main(surroundings: Surroundings): Promise<number> {
  const { argv, out } = surroundings;
  try {
    const quiet = quietCommand(surroundings);
    if (quiet !== undefined) return await quiet();
    const { runSpoken } = await import("./commands.ts");
    return await runSpoken(surroundings);
  } catch (thrown) {
    const fault = faultData(asFault(thrown));
    // The options may be wrong, or missing with the command, but --log-format still counts.
    const format = spoken(argv, "--log-format") === "json" ? "json" : undefined;
    const log = await openLog({ logFormat: format, logLevel: spoken(argv, "--log-level") }, surroundings);
    const [first = "", ...details] = fault.message.split("\n");
    const { tellFault } = await import("../sentences/decision.ts");
    const told = tellFault({ ...fault, message: first.replace(/:$/, "") });
    log(told.level, told.sentence, told.fields);
    // Writes a line for each wrong setting, because all together may be longer than a line of the log.
    for (const detail of details) log(told.level, detail, { fault: fault.code });
    const { asksForJson } = await import("../../machine/command-line/asks-json.ts");
    if (asksForJson(argv)) {
      const { faultAnswer } = await import("./json/fault.ts");
      out(`${JSON.stringify(encode(faultAnswer, fault))}\n`);
    }
    if (fault.code === "bug" && thrown instanceof Error) log("debug", "where it came from", { stack: thrown.stack });
    return exitStatus(fault.code);
  }
}
