import { toolsManagers, type ImageSetter, type SeenObject } from "./seen.ts";

/** The setter of a container's image; only `kind` if the API server does not record it. */
export type WhoSet = { readonly kind: "person" | "tool"; readonly manager: string; readonly time: string };

/** Tools that apply files, besides those that own an object. */
const fileTools: readonly string[] = ["kubectl-client-side-apply", "kubectl-replace", "helm"];

/** An unknown manager counts as a person, so the image is left as it is. */
export function kindOfSetter({ manager, operation }: Pick<ImageSetter, "manager" | "operation">): WhoSet["kind"] {
  return operation === "Apply" || fileTools.includes(manager) || toolsManagers.test(manager) ? "tool" : "person";
}

/**
 * A manager that sets the present image owns it too, as a chart that renders the running image does: so the image is a person's while one of its
 * owners is a person. The latest of several counts; times in RFC 3339 sort as text.
 */
export function whoSetImage({ imageSetters }: SeenObject, container: string): WhoSet {
  const setters = imageSetters
    .filter((one) => one.container === container)
    .map((one) => ({ kind: kindOfSetter(one), manager: one.manager, time: one.time }))
    .toSorted((a, b) => (a.time < b.time ? 1 : -1));
  return setters.find(({ kind }) => kind === "person") ?? setters[0] ?? { kind: "person", manager: "", time: "" };
}

/** Names who set the image, as the end of a sentence. */
export function byWhom({ manager, time }: WhoSet): string {
  return manager === "" ? "" : ` by ${manager}${time === "" ? "" : ` at ${time}`}`;
}
