import { toolsManagers, type ImageSetter, type SeenObject } from "./seen.ts";

/** Who set a container's image. Only `kind` is known if the API server does not record the rest. */
export type WhoSet = { readonly kind: "person" | "tool"; readonly manager: string; readonly time: string };

/** Tools that apply files. Tools that own an object have their own list. */
const fileTools: readonly string[] = ["kubectl-client-side-apply", "kubectl-replace", "helm"];

/** Whether a manager is a tool. An unknown one counts as a person, so the image stays as it is. */
export function kindOfSetter({ manager, operation }: Pick<ImageSetter, "manager" | "operation">): WhoSet["kind"] {
  return operation === "Apply" || fileTools.includes(manager) || toolsManagers.test(manager) ? "tool" : "person";
}

/**
 * Who set the image. A tool that renders the running image becomes an owner of it too, so the image is a person's as long as one owner is a person.
 * The latest of several counts; times in RFC 3339 sort as text.
 */
export function whoSetImage({ imageSetters }: SeenObject, container: string): WhoSet {
  const setters = imageSetters
    .filter((one) => one.container === container)
    .map((one) => ({ kind: kindOfSetter(one), manager: one.manager, time: one.time }))
    .toSorted((a, b) => (a.time < b.time ? 1 : -1));
  return setters.find(({ kind }) => kind === "person") ?? setters[0] ?? { kind: "person", manager: "", time: "" };
}

/** Names who set the image, for the end of a sentence. */
export function byWhom({ manager, time }: WhoSet): string {
  return manager === "" ? "" : ` by ${manager}${time === "" ? "" : ` at ${time}`}`;
}
