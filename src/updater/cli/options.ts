import type { Given } from "../../machine/command-line/row.ts";
import { rootFolder } from "./root-folder.ts";

/** Options that every command understands. */
export type SharedOptions = {
  readonly root: string;
  readonly endpoint: string | undefined;
  readonly channel: string | undefined;
  readonly json: boolean;
  readonly logFormat: "text" | "json" | undefined;
  readonly logLevel: string | undefined;
};

export type EnrollOptions = SharedOptions & {
  readonly package: string | undefined;
  readonly unit: string | undefined;
  readonly agentUser: string | undefined;
};

export function sharedOptions(given: Given): SharedOptions {
  const format = given.text("logFormat");
  return {
    root: rootFolder(given.text("root") ?? "/"),
    endpoint: given.text("endpoint"),
    channel: given.text("channel"),
    json: given.format === "json",
    logFormat: format === "text" || format === "json" ? format : undefined,
    logLevel: given.text("logLevel"),
  };
}
