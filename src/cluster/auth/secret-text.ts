import { plain, type Form } from "../resource/form.ts";
import { accepted, refusedAs } from "../../rules/settings/reading.ts";

/** What is secret is not told back, whatever is wrong with it. */
export function secretText(isRight: (text: string) => boolean, allowed: string): Form<string> {
  return plain((raw) => {
    if (typeof raw === "string" && isRight(raw)) return accepted(raw);
    return refusedAs([{ at: "", found: "something else (not shown)", allowed }]);
  }, allowed);
}
