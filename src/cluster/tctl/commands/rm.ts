import { quote } from "../../../rules/text/quote.ts";
import type { Given } from "../../../machine/command-line/row.ts";
import type { TctlContext } from "../context.ts";
import { changesAnswer } from "../json/changed.ts";
import { parseOne } from "../resource-argument.ts";
import { say } from "../screen/say.ts";
import { nameOf } from "../sentences.ts";

export async function rm(context: TctlContext, { arguments: [word = ""] }: Given): Promise<number> {
  return remove(context, parseOne(word));
}

export async function remove(context: TctlContext, what: { readonly kind: string; readonly name: string }): Promise<number> {
  const { remarks = [] } = await context.call("ResourceService/DeleteResource", what);
  const notes = remarks.map((remark) => `note: ${quote(remark, 500)}\n`).join("");
  return say(context, {
    shape: changesAnswer,
    value: [{ ...what, outcome: "deleted", remarks }],
    text: () => `${nameOf(what.kind, what.name)} has been deleted\n${notes}`,
  });
}
