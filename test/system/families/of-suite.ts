import { familyOf, type Suite } from "../lab/base.ts";
import { apt } from "./apt.ts";
import type { Manners } from "./family.ts";
import { yum } from "./yum.ts";
import { zypper } from "./zypper.ts";

export function mannersOf(suite: Suite): Manners {
  return { apt, yum, zypper }[familyOf(suite)];
}
