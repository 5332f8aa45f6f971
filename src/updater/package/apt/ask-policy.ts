import type { PackageName } from "../../../rules/settings/settings.ts";
import { policyArgv } from "./argv.ts";
import type { AptCalls } from "./calls.ts";
import { aptFault } from "./failure.ts";
import { parsePolicy, type AptPolicy } from "./policy.ts";

export async function askPolicy({ ask }: Pick<AptCalls, "ask">, name: PackageName): Promise<AptPolicy> {
  const { status, stdout, output } = await ask(policyArgv(name));
  if (status !== 0) throw aptFault(output, `policy ${name}`);
  return parsePolicy(stdout);
}
