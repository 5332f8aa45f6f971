import { weighCritical, type CriticalVerdict } from "../channel/critical.ts";
import type { Heard } from "../channel/heard.ts";
import type { UnixSeconds } from "../window/window.ts";
import type { AnswerHeard } from "./gate-facts.ts";

type Told = { readonly answer: AnswerHeard; readonly memory: { readonly heard: Heard }; readonly now: UnixSeconds };

/** Whether the served version is critical, or why that claim does not count. */
export function urgencyOf({ answer, memory: { heard }, now }: Told): CriticalVerdict {
  return answer.kind === "served" ? weighCritical(answer, heard, now) : { kind: "no" };
}
