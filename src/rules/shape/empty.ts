import type { Of, RecordForm, Shape } from "./shape.ts";

/** The record with nothing in it yet. */
export function emptyOf<T extends object>(shape: Shape<T>): Of<typeof shape> {
  const keys = Object.entries((shape.form as RecordForm).keys);
  return Object.fromEntries(keys.map(([key, { form }]) => [key, emptyForm(key, form)])) as T;
}

function emptyForm(key: string, form: Shape<unknown>["form"]): unknown {
  switch (form.kind) {
    case "maybe":
      return undefined;
    case "list":
      return [];
    case "else":
      return form.missing;
    default:
      throw new Error(`"${key}" always says something`);
  }
}
