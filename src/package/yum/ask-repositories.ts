import { repositoriesArgs } from "./argv.ts";
import type { YumCalls } from "./calls.ts";
import { yumFault } from "./failure.ts";
import { parseRepositories, type Repositories } from "./repositories.ts";

export async function askRepositories({ ask, program }: Pick<YumCalls, "ask" | "program">): Promise<Repositories> {
  const { status, output } = await ask(repositoriesArgs());
  if (status !== 0) throw yumFault(output, { program, command: "repolist" });
  return parseRepositories(output);
}
