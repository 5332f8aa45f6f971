import { describe, expect, test } from "vitest";
import type { ImageSetter } from "../../../src/kube/objects/seen.ts";
import { kindOfSetter, whoSetImage } from "../../../src/kube/objects/who-set-image.ts";
import { objectOf } from "./given.ts";

test.each([
  ["kubectl-set", "Update", "person"],
  ["k9s", "Update", "person"],
  ["helmsman", "Update", "person"],
  ["ancient-changes", "Update", "person"],
  ["svc-kube-updater", "Update", "person"],
  ["kubectl-client-side-apply", "Update", "tool"],
  ["helm-controller", "Update", "tool"],
  ["argocd-controller", "Update", "tool"],
  ["whatever", "Apply", "tool"],
] as const)("%s by %s is a %s", (manager, operation, kind) => {
  expect(kindOfSetter({ manager, operation })).toBe(kind);
});

describe("who has set an image", () => {
  const earlier = "2026-11-20T01:00:00Z";
  const later = "2026-11-20T02:00:00Z";
  const setter = (manager: string, time: string): ImageSetter => ({ container: "svc", manager, operation: "Update", time });
  const of = (...imageSetters: readonly ImageSetter[]) => whoSetImage(objectOf({ imageSetters }), "svc");

  test("is who did it last, in that container", () => {
    expect(of(setter("helm", earlier), setter("kubectl-replace", later))).toEqual({
      kind: "tool",
      manager: "kubectl-replace",
      time: later,
    });
    expect(of({ ...setter("helm", later), container: "logs" }).manager).toBe("");
  });

  test("is a person as long as one owns it, whoever renders it again", () => {
    expect(of(setter("kubectl-set", earlier), setter("helm", later)).manager).toBe("kubectl-set");
  });

  test("is a person where nobody is noted", () => {
    expect(of()).toEqual({ kind: "person", manager: "", time: "" });
  });
});
