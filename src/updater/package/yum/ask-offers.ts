import type { PackageName } from "../../../rules/settings/settings.ts";
import { offersArgs } from "./argv.ts";
import type { YumCalls } from "./calls.ts";
import { answerTo } from "./failure.ts";
import { parseOffers, type Offer } from "./offers.ts";

export async function askOffers(calls: Pick<YumCalls, "ask" | "program">, name: PackageName): Promise<readonly Offer[]> {
  return parseOffers((await answerTo(calls, offersArgs(name), `repoquery ${name}`)).stdout, name);
}
