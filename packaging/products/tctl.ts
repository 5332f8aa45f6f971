import { tctl as program } from "../../src/cluster/tctl/tree.ts";
import { describedCommands } from "../commands.ts";
import { tctlPage } from "../man/tctl/page.ts";
import type { Called } from "../product.ts";
import { answers } from "../schemas/tctl.ts";

export const tctl: Called = { program: "tctl", commands: describedCommands(program), page: tctlPage, answers };
