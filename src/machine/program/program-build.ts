import type { UnixSeconds } from "../../rules/window/window.ts";

// The bundler sets these. When the program runs from source, they are undefined.
declare const SVC_UPGRADE_VERSION: string;
declare const SVC_UPGRADE_BUILT_AT: number;

export type ProgramBuild = { readonly version: string; readonly builtAt: UnixSeconds };

export const build: ProgramBuild = {
  version: typeof SVC_UPGRADE_VERSION === "string" ? SVC_UPGRADE_VERSION : "0.0.0-source",
  builtAt: typeof SVC_UPGRADE_BUILT_AT === "number" ? SVC_UPGRADE_BUILT_AT : 0,
};
