import { toolsManagers, type ImageSetter, type SeenObject } from "./seen.ts";

/** Who has set a container's image; nothing but `kind` where the API server does not note it. */
export type WhoSet = { readonly kind: "person" | "tool"; readonly manager: string; readonly time: string };

/** Beside the tools that own an object: what sets what a file says. */
const fileTools: readonly string[] = ["kubectl-client-side-apply", "kubectl-replace", "helm"];

/** Whom nobody knows is a person: the image is left as it is then. */
export function kindOfSetter({ manager, operation }: Pick<ImageSetter, "manager" | "operation">): WhoSet["kind"] {
  return operation === "Apply" || fileTools.includes(manager) || toolsManagers.test(manager) ? "tool" : "person";
}

/**
 * Who sets what is there already owns it as well, like a chart that renders the image that runs: so it is a person's as long as one of
 * its owners is. Of several the last one counts; times in RFC 3339 sort as text.
 */
export function whoSetImage({ imageSetters }: SeenObject, container: string): WhoSet {
  const setters = imageSetters
    .filter((one) => one.container === container)
    .map((one) => ({ kind: kindOfSetter(one), manager: one.manager, time: one.time }))
    .toSorted((a, b) => (a.time < b.time ? 1 : -1));
  return setters.find(({ kind }) => kind === "person") ?? setters[0] ?? { kind: "person", manager: "", time: "" };
}

/** The end of a sentence. */
export function byWhom({ manager, time }: WhoSet): string {
  return manager === "" ? "" : ` by ${manager}${time === "" ? "" : ` at ${time}`}`;
}
