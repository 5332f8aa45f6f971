import type { RunCommand } from "../../../machine/processes/command.ts";
import { ended } from "../call/result.ts";
import { asQuestion, keepBelow } from "./below-root.ts";
import type { AptCalls } from "./calls.ts";
import { aptEnvironment } from "./environment.ts";

/** Generous: apt may have to rebuild its cache on a slow disk. */
const askTimeoutMs = 120_000;

export function askApt(run: RunCommand, root: string): AptCalls["ask"] {
  return (argv) =>
    keepBelow(root, asQuestion(root, argv), async (call) => {
      const env = { ...aptEnvironment(""), ...call.env };
      return ended(await run({ argv: call.argv, env, timeoutMs: askTimeoutMs }), argv[0]);
    });
}
