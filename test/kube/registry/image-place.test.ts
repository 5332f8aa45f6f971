import { expect, test } from "vitest";
import { placeOf } from "../../../src/kube/registry/image-place.ts";

const digest = `sha256:${"a".repeat(64)}`;

const cases: readonly (readonly [image: string, registry: string, api: string, repository: string, reference: string])[] = [
  ["svc:15.4.5", "docker.io", "registry-1.docker.io", "library/svc", "15.4.5"],
  ["corp/svc:15.4.5", "docker.io", "registry-1.docker.io", "corp/svc", "15.4.5"],
  ["docker.io/svc:15.4.5", "docker.io", "registry-1.docker.io", "library/svc", "15.4.5"],
  ["index.docker.io/corp/svc:15.4.5", "docker.io", "registry-1.docker.io", "corp/svc", "15.4.5"],
  ["localhost/svc:1", "localhost", "localhost", "svc", "1"],
  ["registry:5000/a/b/svc:1", "registry:5000", "registry:5000", "a/b/svc", "1"],
  ["registry.example/svc:1", "registry.example", "registry.example", "svc", "1"],
  [`registry.example/svc:1@${digest}`, "registry.example", "registry.example", "svc", digest],
  [`registry.example/svc@${digest}`, "registry.example", "registry.example", "svc", digest],
];

test.each(cases)("%s is looked for in %s", (image, registry, api, repository, reference) => {
  expect(placeOf(image)).toMatchObject({ registry, api, repository, reference });
});

test.each(["svc", "SVC:1", "a b:1", ""])("%j names nothing that could be asked for", (image) => {
  expect(placeOf(image)).toBeUndefined();
});
