import type { Build } from "../../../rules/decide/gate-facts.ts";
import type { WantedFile } from "../manager/manager.ts";
import { controlArgv } from "./argv.ts";
import type { AptCalls } from "./calls.ts";
import { aptFault } from "./failure.ts";

/** Finds the build in the signed list. */
export async function askBuild({ ask }: Pick<AptCalls, "ask">, wanted: Omit<WantedFile, "is">): Promise<Build> {
  const { status, stdout, output } = await ask(controlArgv([wanted]));
  if (status !== 0) throw aptFault(output, `show ${wanted.name}=${wanted.version}`);
  return buildFrom(stdout);
}

/** Reads `apt-cache show` for that version. A version that is only installed has no file, and so no build. */
export function buildFrom(control: string): Build {
  const [paragraph = ""] = control.split(/\n\s*\n/).filter((text) => /^Filename: /m.test(text));
  const sha256 = /^SHA256: ([0-9a-f]{64})$/m.exec(paragraph)?.[1];
  const bytes = /^Size: (\d{1,15})$/m.exec(paragraph)?.[1];
  return { sha256, bytes: bytes === undefined ? undefined : Number(bytes) };
}
