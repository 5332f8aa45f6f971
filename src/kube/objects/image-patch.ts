import { annotationOf, type Ask, type SeenObject } from "./seen.ts";

export type ImageChange = { readonly container: string; readonly from: string; readonly to: string };

export type Operation =
  | { readonly op: "test" | "replace" | "add"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string };

const skipKey = "svc.dev/skipreconcile";

/** Escapes a key for a JSON pointer. */
function placeOf(key: string): string {
  return `/metadata/annotations/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

function test(path: string, value: unknown): Operation {
  return { op: "test", path, value };
}

/**
 * A patch that changes only the image, and only if the object is still as it was seen. Does not test the resourceVersion, because the status changes
 * all the time. Tests annotations too, because the generation does not count their changes.
 */
export function imagePatch(object: SeenObject, { container, from, to }: ImageChange): readonly Operation[] {
  const index = object.containers.findIndex(({ name }) => name === container);
  const place = `/spec/template/spec/containers/${index}`;
  return [
    test("/metadata/uid", object.uid),
    test("/metadata/generation", object.generation),
    annotationTest(object, skipKey, object.skip),
    test(`${place}/name`, container),
    test(`${place}/image`, from),
    { op: "replace", path: `${place}/image`, value: to },
  ];
}

/** Writes a request's annotation, but only if it still has the value that was seen. */
export function askPatch(object: SeenObject, ask: Ask, value: string): readonly Operation[] {
  const key = annotationOf[ask];
  return [
    test("/metadata/uid", object.uid),
    annotationTest(object, key, object.asks[ask]),
    object.hasAnnotations
      ? { op: "add", path: placeOf(key), value }
      : { op: "add", path: "/metadata/annotations", value: { [key]: value } },
  ];
}

function annotationTest({ hasAnnotations }: SeenObject, key: string, seen: string | undefined): Operation {
  return hasAnnotations ? test(placeOf(key), seen ?? null) : test("/metadata/annotations", null);
}

/** The API server's refusal, as far as it gives a reason. */
export type Refused = {
  readonly kind: "refused";
  readonly status: number;
  readonly message: string;
  readonly causes: readonly { readonly field: string; readonly message: string }[];
};

export type PatchFailure = {
  /**
   * `changed`: the object is not as it was seen. `again`: it may work next time. `gone`: the object is deleted. The others last until somebody
   * changes the cause.
   */
  readonly kind: "changed" | "refused" | "denied" | "no-right" | "gone" | "again";
  readonly told: string;
};

const byWebhook = /^admission webhook "[^"]*" denied the request/;

/** The meaning of a refused patch. After a failed test the API server says only that the request is invalid. */
export function judgeRefusal({ status, message, causes }: Refused): PatchFailure {
  const told = causes[0]?.message || message;
  // A webhook chooses the status; by default it is 400.
  if (byWebhook.test(message) && status < 500 && status !== 409 && status !== 429) {
    return { kind: "denied", told: `a policy refuses the image: ${message}` };
  }
  if (status === 422 && causes.length === 0) return { kind: "changed", told: "the object has changed meanwhile" };
  if (status === 422 && causes.some(({ field }) => field !== "")) {
    return { kind: "refused", told: `the API server does not accept the image: ${told}` };
  }
  if (status === 403 && causes.length === 0 && /\bcannot [a-z]+ resource\b/.test(message)) {
    return { kind: "no-right", told: `this updater has no right to change it: ${message}` };
  }
  if (status === 404) return { kind: "gone", told: message };
  if (status === 403 || status === 413 || status === 422) return { kind: "denied", told: `a policy refuses the image: ${told}` };
  if (status === 400) return { kind: "refused", told: `the API server does not accept the image: ${told}` };
  return { kind: "again", told: message };
}
