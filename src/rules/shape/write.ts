import { beyondOf, laterKey } from "./unknown-keys.ts";
import { printed, type RecordForm, type Shape } from "./shape.ts";

/**
 * The value as it stands in JSON: texts and lists are within their bounds. Behind its own keys a record has what it carries of a later
 * release.
 */
export function encode<T>(shape: Shape<T>, value: T): unknown {
  const { form } = shape;
  switch (form.kind) {
    case "text":
      return printed(value as string, form);
    case "list": {
      const rows = value as readonly unknown[];
      const kept = form.keeps === "first" ? rows.slice(0, form.most) : rows.slice(-form.most);
      return kept.map((row) => encode(form.of, row));
    }
    case "record":
      return writeRecord(form, value as object);
    case "kinds":
      return writeRecord(form.of[(value as { readonly kind: string }).kind]?.form as RecordForm, value as object);
    case "maybe":
    case "optional":
      return value === undefined ? undefined : encode(form.of, value);
    case "else":
      return form.isLeftOut(value) ? undefined : encode(form.of, value);
    case "parsed":
      return form.print === undefined ? value : form.print(value as never);
    case "named":
      return Object.fromEntries(Object.entries(value as object).map(([name, item]) => [name, encode(form.of, item)]));
    case "refined":
      return encode(form.of, value);
    case "coded":
      return encode(form.of, form.codec.write(value));
    default:
      return value;
  }
}

function writeRecord({ keys, rules }: RecordForm, value: object): object {
  const written: Record<string, unknown> = rules.schema === undefined ? {} : { schema: rules.schema };
  for (const [key, shape] of Object.entries(keys)) {
    const field = encode(shape, (value as Record<string, unknown>)[key]);
    if (field !== undefined) written[key] = field;
  }
  const { [laterKey]: later, ...strangers } = beyondOf(value);
  if (later !== undefined) written[laterKey] = later;
  return Object.keys(strangers).length === 0 ? written : { ...written, ...strangers };
}
