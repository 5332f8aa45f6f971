import { expect, test } from "vitest";
import { isDigest, platformIn, readManifest } from "../../../src/kube/registry/manifest.ts";

const index = "application/vnd.oci.image.index.v1+json";
const image = "application/vnd.docker.distribution.manifest.v2+json";
const digest = `sha256:${"0".repeat(64)}`;
const entry = (os: string, architecture: string, variant?: string): object => ({
  digest,
  platform: { os, architecture, variant },
});

test("an index tells the platforms of its images, each once and as everybody calls them", () => {
  const manifests = [
    entry("linux", "arm64", "v8"),
    entry("linux", "amd64"),
    entry("linux", "arm", "v7"),
    entry("linux", "amd64"),
    entry("unknown", "unknown"),
    { digest },
  ];
  expect(readManifest(JSON.stringify({ manifests }), `${index}; charset=utf-8`)).toEqual({
    kind: "index",
    platforms: ["linux/amd64", "linux/arm/v7", "linux/arm64"],
  });
});

test("a single image leads to its configuration, which tells the platform", () => {
  expect(readManifest(JSON.stringify({ config: { digest } }), image)).toEqual({ kind: "image", config: digest });
  expect(platformIn('{"os":"linux","architecture":"amd64","variant":""}')).toBe("linux/amd64");
  expect(platformIn("{}")).toBeUndefined();
});

test.each([
  ["an index read as an image", JSON.stringify({ manifests: [] }), image],
  ["an image read as an index", JSON.stringify({ config: { digest } }), index],
  ["a configuration without a digest", JSON.stringify({ config: { digest: "md5:00" } }), image],
  ["a manifest of the first schema", "{}", "application/vnd.docker.distribution.manifest.v1+json"],
  ["no type", JSON.stringify({ manifests: [] }), undefined],
  ["a page", "<html>", "text/html"],
])("%s tells nothing", (_, body, type) => {
  expect(readManifest(body, type).kind).toBe("unknown");
});

test.each([
  [digest, true],
  [`sha512:${"0".repeat(128)}`, true],
  [`sha256:${"0".repeat(63)}`, false],
  [`sha256:${"A".repeat(64)}`, false],
  [`md5:${"0".repeat(32)}`, false],
])("%s is a digest: %s", (found, is) => {
  expect(isDigest(found)).toBe(is);
});
