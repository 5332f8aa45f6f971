import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { nameRule, parseResourceName, type ResourceName } from "../resource/name.ts";

/** Checks the user name of a call before the store is asked. */
export function askedUser(text: string): ResourceName {
  const name = parseResourceName(text);
  if (name !== undefined) return name;
  throw new Fault("request-refused", { message: `"${quote(text)}" cannot be a user's name`, hint: nameRule });
}
