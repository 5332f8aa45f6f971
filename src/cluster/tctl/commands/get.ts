import type { Mapping } from "../../../rules/shape/reading.ts";
import { withoutSecrets } from "../../resource/secrets.ts";
import type { Given } from "../../../machine/command-line/row.ts";
import type { TctlContext } from "../context.ts";
import { parseNamed } from "../resource-argument.ts";
import { getOne, kindOf, listAll, textAt } from "../resources.ts";
import { printYaml } from "../print-yaml.ts";
import { printJson } from "../../../rules/shape/print-json.ts";
import { table } from "../../../rules/text/table.ts";

/** Prints resources so that `create -f` can read them. */
export async function get(context: TctlContext, given: Given): Promise<number> {
  const [asked = ""] = given.arguments;
  const withSecrets = given.isSet("withSecrets");
  const { out, error } = context.surroundings;
  const found =
    asked === "all" ? await listAll(context, { kind: "", withSecrets }) : await findNamed(context, asked, withSecrets);
  const { format } = context.options;
  if (found.length === 0 && format !== "json") {
    error(`nothing of that kind: \`tctl create FILE\` makes it\n`);
  } else if (format === "json") {
    out(printJson(isOne(asked) ? found[0] : found));
  } else if (format === "text") {
    out(
      table(
        ["Kind", "Name", "Revision"],
        found.map((one) => [kindOf(one), textAt(one, "metadata", "name"), textAt(one, "metadata", "revision")]),
      ),
    );
  } else {
    out(await printYaml(found));
  }
  if (withSecrets && found.some(holdsSecrets))
    error("note: this holds secrets; delete the file that you put it in as soon as it was used\n");
  return 0;
}

function holdsSecrets(one: Mapping): boolean {
  return JSON.stringify(withoutSecrets(one)) !== JSON.stringify(one);
}

function isOne(asked: string): boolean {
  return asked !== "all" && !asked.includes(",") && parseNamed(asked).name !== undefined;
}

async function findNamed(context: TctlContext, asked: string, withSecrets: boolean): Promise<readonly Mapping[]> {
  const named = asked.split(",").map(parseNamed);
  const found: Mapping[] = [];
  for (const { kind, name } of named) {
    // Among several kinds, the only resource of a kind may be missing too.
    if (name === undefined || (named.length > 1 && !asked.includes("/")))
      found.push(...(await listAll(context, { kind, withSecrets })));
    else {
      const resource = await getOne(context, { kind, name, withSecrets });
      if (resource !== undefined) found.push(resource);
    }
  }
  return found;
}
