import { encode } from "../../../rules/shape/write.ts";
import { dirname, join, resolve } from "node:path";
import type { ChannelName } from "../../../rules/channel/path.ts";
import { Fault } from "../../../rules/fault/fault.ts";
import { makeDirectory } from "../../../machine/files/directory.ts";
import { errnoWords } from "../../../machine/files/errno.ts";
import { writeFileAtomically } from "../../../machine/files/write-file.ts";
import { channelAnswer, pingAnswer } from "../../server-rules/server-answer.ts";
import { channelTargets, pingTarget } from "../../server-rules/asked.ts";
import type { Configuration } from "../../server-rules/configuration.ts";
import { always, answer, line, list, told } from "../../../rules/shape/answer.ts";
import { configurationFor } from "./context.ts";
import type { ServerContext, Options } from "./called.ts";

export type ExportOptions = Options & { readonly directory: string };

export const exportAnswer = answer<readonly string[]>("The files that now hold the answers.")({
  files: always(
    "every file that was written",
    list(told("its path, below the folder that was named", line)),
    (files: readonly string[]) => files,
  ),
});

/** Writes every answer that needs no upstream as a file under its own path, for any file server. */
export async function exportAnswers(options: ExportOptions, { surroundings: { out }, log }: ServerContext): Promise<number> {
  const configuration = await configurationFor(options);
  const clash = clashIn(configuration);
  if (clash !== undefined) throw clash;
  const files = filesOf(configuration);
  for (const [target, body] of files) writeBelow(options.directory, target, body);
  for (const [name, { kind }] of configuration.channels) {
    if (kind === "forwarded") log("warning", "a forwarded channel cannot be a file, and was left out", { channel: name });
  }
  const written = files.map(([target]) => join(options.directory, target));
  out(options.json ? `${JSON.stringify(encode(exportAnswer, written))}\n` : written.map((path) => `${path}\n`).join(""));
  return 0;
}

function filesOf(configuration: Configuration): readonly (readonly [target: string, body: string])[] {
  const channels = [...configuration.channels].flatMap(([name, channel]) => {
    if (channel.kind === "forwarded") return [];
    return (["version", "critical"] as const).flatMap((question) => {
      const { body } = channelAnswer(question, { channel, upstream: undefined }, 0);
      return channelTargets(name, question).map((target) => [target, body] as const);
    });
  });
  return [[pingTarget, pingAnswer(configuration).body], ...channels];
}

/** Finds channels whose files clash: the channel `a` has a file `a/version`, where the channel `a/version` needs a folder. */
function clashIn({ channels }: Configuration): Fault | undefined {
  const clashing = [...channels.keys()].find((name) =>
    /^(.+)\/(?:version|critical)(?:\/.*)?$/
      .exec(name)
      ?.slice(1)
      .some((above) => channels.has(above as ChannelName)),
  );
  if (clashing === undefined) return undefined;
  return new Fault("file-failed", {
    message: `the channel ${clashing} cannot be a file beside the channel above it, whose file has the name of its folder`,
    hint: "serve them with svc-proxy, or give the channel another name",
  });
}

function writeBelow(directory: string, target: string, body: string): void {
  const path = join(resolve(directory), target);
  try {
    makeDirectory(dirname(path), { root: "/" });
  } catch (cause) {
    if (cause instanceof Fault) throw cause;
    throw new Fault("file-failed", {
      message: `${dirname(path)} could not be made: ${errnoWords(cause)}`,
      hint: "name a folder that this user may write to",
      cause,
    });
  }
  writeFileAtomically(path, body, { root: "/", mode: 0o644, fault: "file-failed" });
}
