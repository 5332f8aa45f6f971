import { schemaOf as shapeSchema } from "../../src/rules/shape/schema.ts";
import type { Called } from "../product.ts";
import type { JsonSchema } from "../../src/rules/shape/shape.ts";

type Answering = Pick<Called, "program" | "answers">;

/** The shipped schemas, by file name. Each stands alone: a validator needs no other file. */
export function schemaFiles(called: Answering): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(Object.keys(called.answers).map((name) => [`${name}.schema.json`, schemaOf(called, name)]));
}

export function schemaOf({ program, answers }: Answering, name: string): JsonSchema {
  const found = answers[name];
  if (found === undefined) throw new Error(`there is no answer ${name}`);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `urn:${program}:schema:${name}`,
    title: `${program}: ${name}`,
    ...shapeSchema(found.shape),
  };
}
