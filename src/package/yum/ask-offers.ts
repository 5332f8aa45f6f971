import type { PackageName } from "../../settings/settings.ts";
import { offersArgs } from "./argv.ts";
import type { YumCalls } from "./calls.ts";
import { yumFault } from "./failure.ts";
import { parseOffers, type Offer } from "./offers.ts";

export async function askOffers(
  { ask, program }: Pick<YumCalls, "ask" | "program">,
  name: PackageName,
): Promise<readonly Offer[]> {
  const { status, stdout, output } = await ask(offersArgs(name));
  if (status !== 0) throw yumFault(output, { program, command: `repoquery ${name}` });
  return parseOffers(stdout, name);
}
