import { beyondOf, laterKey, laterOf } from "./beyond.ts";
import { printed, type Form, type RecordForm, type Shape } from "./shape.ts";

/** What the first release does not read as it is meant: by vocabulary the nearest of its words, and by key how many rows it takes. */
export type First = {
  readonly nearest: ReadonlyMap<unknown, Nearest>;
  readonly most: Readonly<Record<string, number>>;
};

type Nearest = Readonly<Record<string, string>>;

/** For whoever reads the same release's words. */
const noOlder: First = { nearest: new Map(), most: {} };

/**
 * The value as it stands in JSON: texts and lists are within their bounds, and in their places stands what the first release knows.
 * Under "later" stands what is meant instead, and behind it what this release only carries.
 */
export function encode<T>(shape: Shape<T>, value: T, first: First = noOlder): unknown {
  return write(shape, value, first);
}

function write(shape: Shape<unknown>, value: unknown, first: First): unknown {
  const { form } = shape;
  switch (form.kind) {
    case "text":
      return printed(value as string, form);
    case "list": {
      const rows = value as readonly unknown[];
      const kept = form.keeps === "first" ? rows.slice(0, form.most) : rows.slice(-form.most);
      return kept.map((row) => write(form.of, row, first));
    }
    case "record":
      return writeRecord(form, value as object, { first, kinds: undefined });
    case "kinds": {
      const one = form.of[(value as { readonly kind: string }).kind]?.form as RecordForm;
      return writeRecord(one, value as object, { first, kinds: first.nearest.get(shape) });
    }
    case "maybe":
    case "optional":
      return value === undefined ? undefined : write(form.of, value, first);
    case "else":
      return form.isLeftOut(value) ? undefined : write(form.of, value, first);
    case "coded":
      return write(form.of, form.codec.write(value), first);
    default:
      return value;
  }
}

type Told = { readonly first: First; readonly kinds: Nearest | undefined };

function writeRecord({ keys, rules }: RecordForm, value: object, { first, kinds }: Told): object {
  const old: Record<string, unknown> = rules.schema === undefined ? {} : { schema: rules.schema };
  const meant: Record<string, unknown> = {};
  for (const [key, shape] of Object.entries(keys)) {
    const written = write(shape, (value as Record<string, unknown>)[key], first);
    const nearest = key === "kind" && kinds !== undefined ? kinds : first.nearest.get(wordsOf(shape.form));
    old[key] = asTheFirst(written, nearest, first.most[key]);
    if (old[key] !== written) meant[key] = written;
  }
  const beyond = beyondOf(value);
  const later = { ...meant, ...laterOf(beyond) };
  const carried = Object.entries(beyond).filter(([key]) => key !== laterKey);
  if (Object.keys(later).length > 0) old[laterKey] = later;
  return carried.length === 0 ? old : { ...old, ...Object.fromEntries(carried) };
}

function asTheFirst(written: unknown, nearest: Nearest | undefined, most: number | undefined): unknown {
  if (typeof written === "string") return nearest?.[written] ?? written;
  return Array.isArray(written) && most !== undefined && written.length > most ? written.slice(0, most) : written;
}

function wordsOf(form: Form): unknown {
  switch (form.kind) {
    case "words":
      return form.words;
    case "maybe":
    case "optional":
    case "else":
      return wordsOf(form.of.form);
    default:
      return undefined;
  }
}
