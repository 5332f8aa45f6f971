import { objectFaultTable } from "../../rules/fault/object-table.ts";
import { faultTable } from "../../rules/fault/table.ts";
import { kinds, number, optional, sentence, word, words, type Of } from "../../rules/shape/shape.ts";
import { version } from "../../rules/version/version.ts";
import { moveReasons, stayReasons } from "./object-reasons.ts";

export type StayReason = keyof typeof stayReasons;

/** From one version to another, and the image for it. */
export const exchange = kinds({
  upgrade: { from: version, to: version, image: word, digest: optional(word) },
  downgrade: { from: version, to: version, image: word, digest: optional(word) },
});
export type ImageExchange = Of<typeof exchange>;

const faults = { ...objectFaultTable, ...faultTable };

export const decision = kinds(
  {
    stay: {
      why: words(stayReasons, "held"),
      /** The reason in words. */
      told: sentence,
      /** When the decision ends by itself. */
      until: optional(number),
      /** What ends the stay, unless time alone ends it. */
      lift: optional(sentence),
    },
    move: { why: words(moveReasons, "asked"), told: sentence, target: exchange, until: optional(number) },
    stop: { code: words(faults, "os-failed"), told: sentence, hint: sentence },
  },
  ["stop", { kind: "stay", why: "held", told: "a later release of svc-kube-updater decided this" }],
);
export type Decision = Of<typeof decision>;

export type Stay = Extract<Decision, { kind: "stay" }>;
export type Move = Extract<Decision, { kind: "move" }>;
export type Stop = Extract<Decision, { kind: "stop" }>;
