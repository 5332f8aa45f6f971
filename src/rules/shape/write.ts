import { beyondOf, laterKey } from "./unknown-keys.ts";
import { printed, type RecordForm, type Shape } from "./shape.ts";

/** Makes JSON of the value, and cuts texts and lists to their bounds. A record's own keys come before those of a later release that it carries. */
export function encode<T, J>(shape: Shape<T, J>, value: T): J {
  return written(shape, value) as J;
}

function written({ form }: Shape<unknown>, value: unknown): unknown {
  switch (form.kind) {
    case "text":
      return printed(value as string, form);
    case "list": {
      const rows = value as readonly unknown[];
      const kept = form.keeps === "first" ? rows.slice(0, form.most) : rows.slice(-form.most);
      return kept.map((row) => written(form.of, row));
    }
    case "record":
      return writeRecord(form, value as object);
    case "kinds":
      return writeRecord(form.of[(value as { readonly kind: string }).kind]?.form as RecordForm, value as object);
    case "null":
      return value === undefined ? null : written(form.of, value);
    case "from": {
      const taken = form.from(value as never);
      return taken === undefined && !form.isAlways ? undefined : written(form.of, taken);
    }
    case "maybe":
    case "optional":
      return value === undefined ? undefined : written(form.of, value);
    case "else":
      return form.isLeftOut(value) ? undefined : written(form.of, value);
    case "parsed":
      return form.print === undefined ? value : form.print(value as never);
    case "named":
      return Object.fromEntries(Object.entries(value as object).map(([name, item]) => [name, written(form.of, item)]));
    case "refined":
      return written(form.of, value);
    case "coded":
      return written(form.of, form.codec.write(value));
    default:
      return value;
  }
}

function writeRecord({ keys, rules }: RecordForm, value: object): object {
  const record: Record<string, unknown> = rules.schema === undefined ? {} : { schema: rules.schema };
  for (const [key, shape] of Object.entries(keys)) {
    const field = written(shape, shape.form.kind === "from" ? value : (value as Record<string, unknown>)[key]);
    if (field !== undefined) record[key] = field;
  }
  if (rules.isShown === true) return record;
  const { [laterKey]: later, ...strangers } = beyondOf(value);
  if (later !== undefined) record[laterKey] = later;
  return Object.keys(strangers).length === 0 ? record : { ...record, ...strangers };
}
