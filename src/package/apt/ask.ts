import type { RunCommand } from "../../host/command.ts";
import { ended } from "../result.ts";
import type { AptCalls } from "./calls.ts";
import { aptEnvironment } from "./environment.ts";
import { once } from "../once.ts";
import { writeRootConfig } from "./root-config.ts";

/** A question to apt, which may have to rebuild its cache on a slow disk. */
const askTimeoutMs = 120_000;

/** The file that keeps apt below another root: the environment names it, so it must be there; to write it once is enough. */
export function configFileFor(root: string): () => Promise<string | undefined> {
  return once(async () => (root === "/" ? undefined : writeRootConfig(root)));
}

export function askApt(run: RunCommand, configFile: () => Promise<string | undefined>): AptCalls["ask"] {
  return async (argv) => {
    const env = aptEnvironment(await configFile(), "");
    return ended(await run({ argv, env, timeoutMs: askTimeoutMs }), argv[0]);
  };
}
