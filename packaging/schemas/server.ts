import type { Answer } from "./answer.ts";
import { check } from "./server/check.ts";
import { digest } from "./server/digest.ts";
import { exported } from "./server/export.ts";
import { fault } from "./server/fault.ts";
import { version } from "./server/version.ts";

/** By name. */
export const answers: Readonly<Record<string, Answer>> = { check, digest, export: exported, version, fault };
