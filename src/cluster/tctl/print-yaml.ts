import type { Mapping } from "../../rules/shape/reading.ts";

/** Controls, marks that change the reading direction, and foreign line breaks. They are escaped and quoted. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]/u;
const unprintables = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** Prints resources as a file that `create -f` accepts and that is safe on a terminal. */
export async function printYaml(resources: readonly Mapping[]): Promise<string> {
  const { Document, Scalar, visit } = await import("yaml");
  const printed = resources.map((resource) => {
    const document = new Document(resource, { version: "1.2", schema: "core", aliasDuplicateObjects: false });
    visit(document, {
      Scalar: (_key, node) => {
        if (typeof node.value === "string" && unprintable.test(node.value)) node.type = Scalar.QUOTE_DOUBLE;
      },
    });
    return document
      .toString({ lineWidth: 0, minContentWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER })
      .replaceAll(unprintables, (found) => (found === "\n" ? found : escaped(found)));
  });
  return printed.join("---\n");
}

function escaped(found: string): string {
  const code = (found.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? String.raw`\U${code.padStart(8, "0")}` : String.raw`\u${code.padStart(4, "0")}`;
}
