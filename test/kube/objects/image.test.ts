import { describe, expect, test } from "vitest";
import { imageOf, parseImage, parseTagRule, versionIn } from "../../../src/kube/objects/image.ts";
import { version } from "../../rules/version/given.ts";
import { tagRule } from "./given.ts";

const digest = `sha256:${"ab".repeat(32)}`;

describe("the rule of a tag", () => {
  test.each(["{version}", "agent-{version}_1"])("may be %s", (text) => {
    expect(parseTagRule(text)).toBe(text);
  });

  test.each(["", "{version}{version}", "-{version}", "{version}+1", `{version}${"x".repeat(120)}`])("is not %j", (text) => {
    expect(parseTagRule(text)).toBeUndefined();
  });
});

describe("an image", () => {
  test.each([
    ["svc:15.4.5", "svc", "15.4.5", false],
    ["registry.example:5000/a/svc:v1", "registry.example:5000/a/svc", "v1", false],
    ["localhost:5000/svc", "localhost:5000/svc", undefined, false],
    [`a/svc:1.0.0@${digest}`, "a/svc", "1.0.0", true],
  ])("%s is read", (text, repository, tag, isPinned) => {
    expect(parseImage(text)).toEqual({ repository, tag, isPinned });
  });

  test.each(["", "reg/svc:2 @@", "Svc:1", "svc@sha256:12"])("%j is none", (text) => {
    expect(parseImage(text)).toBeUndefined();
  });

  test("of a registry and a repository of more than their 515 characters is none", () => {
    expect(parseImage("s".repeat(515))).toBeDefined();
    expect(parseImage("s".repeat(516))).toBeUndefined();
  });
});

describe("the version of an image", () => {
  test.each([
    ["svc:15.4.5", "{version}", "15.4.5"],
    ["svc:15.4.5-alpine", "{version}-alpine", "15.4.5"],
  ])("%s by %s is %s", (image, rule, wanted) => {
    expect(versionIn(image, tagRule(rule), "object")).toEqual({ version: wanted });
  });

  test.each([
    ["reg/svc:2 @@", "is no image", "correct the image of the container"],
    ["svc", "names no tag", "give the image a tag that names its version, for example svc:15.4.5"],
    [`svc@${digest}`, "names a digest and no tag", "give the image a tag that names its version, for example svc:15.4.5"],
    [
      "svc:15.4.5-alpine",
      "has the tag 15.4.5-alpine, which is not {version} with a version",
      'set `object.tag: "{version}-alpine"`',
    ],
  ])("%s is not known", (image, why, hint) => {
    expect(versionIn(image, tagRule("{version}"), "object")).toEqual({ why, hint });
  });
});

describe("the image of another version", () => {
  test("has its tag, and no digest", () => {
    expect(imageOf(`reg:5000/svc:v1.0.0@${digest}`, version("2.0.0"), tagRule("v{version}"))).toBe("reg:5000/svc:v2.0.0");
  });

  test.each([version("2.0.0+build"), version(`2.0.0-${"x".repeat(122)}`)])("cannot name %s", (unheard) => {
    expect(imageOf("svc:1.0.0", unheard, tagRule("v{version}-x"))).toBeUndefined();
  });
});
