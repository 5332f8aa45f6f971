import { calledAs } from "./machine/program/called-as.ts";
import { startAnew } from "./machine/program/start-anew.ts";
import { isJournal, statusWithOutput } from "./machine/program/standard-streams.ts";
import { startedWith } from "./machine/program/started.ts";

startAnew(process);

const { program, argv } = calledAs(["svc", "tctl", "tsh"], { argv0: process.argv0, argv: process.argv.slice(2) });

const surroundings = {
  ...startedWith(process),
  argv,
  processId: process.pid,
  stderrIs: isJournal(process.env["JOURNAL_STREAM"]) ? ("journal" as const) : ("other" as const),
};

/** Loads only the named program, so that commands need not wait for the server's code. */
async function run(): Promise<number> {
  if (program === "tctl") return (await import("./cluster/tctl/main.ts")).main(surroundings);
  if (program === "tsh") {
    const [{ main }, { typingOf }] = await Promise.all([import("./cluster/tsh/main.ts"), import("./cluster/tsh/typing.ts")]);
    // The executable is called by its own name, and the word after it names the program.
    const script = process.getBuiltinModule("node:sea").isSea() ? [] : [...process.execArgv, process.argv[1] ?? ""];
    return main({ ...surroundings, ...typingOf(surroundings.stopping), self: [process.execPath, ...script, "tsh"] });
  }
  let hangUp: () => void = () => undefined;
  process.on("SIGHUP", () => hangUp());
  return (await import("./cluster/svc/main.ts")).main({ ...surroundings, onHangUp: (listener) => (hangUp = listener) });
}

void run().then((status) => {
  // Everything was written synchronously.
  process.exit(statusWithOutput(status));
});
