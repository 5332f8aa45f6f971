import { own, type Shape } from "../../rules/shape/shape.ts";
import { accepted, refusedAs } from "../../rules/shape/reading.ts";

/** A text that faults never show. */
export function secretText(isRight: (text: string) => boolean, allowed: string): Shape<string> {
  return own((raw) => {
    if (typeof raw === "string" && isRight(raw)) return accepted(raw);
    return refusedAs([{ at: "", found: "something else (not shown)", allowed }]);
  }, allowed);
}
