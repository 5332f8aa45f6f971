import { pastFault } from "../../rules/fault/data.ts";
import { kinds, number, optional, sentence, words, type Of } from "../../rules/shape/shape.ts";
import { packageVersion } from "../../rules/version/wrapped.ts";
import { moveReasons, stayReasons } from "./host-reasons.ts";
import { movement } from "./target.ts";

export type StayReason = keyof typeof stayReasons;
export type MoveReason = keyof typeof moveReasons;

export const decision = kinds(
  {
    stay: {
      why: words(stayReasons, "held"),
      /** The reason in words, for people. */
      told: sentence,
      /** When it ends by itself. */
      until: optional(number),
      /** What lifts it, if time alone does not. */
      lift: optional(sentence),
    },
    move: {
      why: words(moveReasons, "asked"),
      told: sentence,
      target: movement,
      /** Until when it may begin; undefined if there is no limit. */
      until: optional(number),
      /** The wanted package, if not any package of that version will do. */
      exactly: optional(packageVersion),
    },
    stop: { fault: pastFault },
  },
  ["stop", { kind: "stay", why: "held", told: "a later release of svc-upgrade decided this" }],
);
export type Decision = Of<typeof decision>;

export type Stay = Extract<Decision, { kind: "stay" }>;
export type Move = Extract<Decision, { kind: "move" }>;
export type Stop = Extract<Decision, { kind: "stop" }>;
