import { tsh as program } from "../../src/cluster/tsh/tree.ts";
import { describedCommands } from "../commands.ts";
import { tshPage } from "../man/tsh/page.ts";
import type { Called } from "../product.ts";
import { answers } from "../schemas/tsh.ts";

export const tsh: Called = {
  program: "tsh",
  commands: describedCommands(program),
  page: tshPage,
  answers,
};
