import { existsSync } from "node:fs";
import { Fault } from "../../../rules/fault/fault.ts";
import type { RunCommand } from "../../../machine/processes/command.ts";
import { ended, type Ended } from "../call/result.ts";
import { rpmEnvironment } from "../rpm/environment.ts";
import { askArgs, belowRoot, offersArgs } from "./argv.ts";
import type { YumArguments, YumCalls } from "./calls.ts";
import { withLists } from "./lists.ts";
import { yumProgram } from "./program.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";
import { answerTo } from "./failure.ts";
import { parseOffers, type Offer } from "./offers.ts";

const repositories = "/etc/yum.repos.d";

/** dnf may have to read the lists of a whole distribution on a slow disk. */
const askTimeoutMs = 120_000;

export function askYum(run: RunCommand, root: string, program: string = yumProgram()): Pick<YumCalls, "ask" | "program"> {
  if (root !== "/" && !existsSync(`${root}${repositories}`)) throw withoutRepositories(root);

  async function call(args: YumArguments, lists: string | undefined): Promise<Ended> {
    const argv = [program, ...belowRoot(root), ...askArgs(lists, args)] as const;
    return ended(await run({ argv, env: rpmEnvironment, timeoutMs: askTimeoutMs }), program);
  }

  return {
    program,
    // For another root, this machine's locks do not matter, and dnf would look for our paths in that root.
    ask: (args) => (root === "/" ? withLists((lists) => call(args, lists)) : call(args, undefined)),
  };
}

function withoutRepositories(root: string): Fault {
  return new Fault("host-unsupported", {
    message: `${root}${repositories} is not there: below that root, dnf would take the repositories of this machine`,
    hint: `make that directory, and put the file of the agent's repository there`,
  });
}

export async function askOffers(calls: Pick<YumCalls, "ask" | "program">, name: PackageName): Promise<readonly Offer[]> {
  return parseOffers((await answerTo(calls, offersArgs(name), `repoquery ${name}`)).stdout, name);
}
