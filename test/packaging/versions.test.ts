import { afterEach, expect, test } from "vitest";
import project from "../../package.json" with { type: "json" };
import { billOfMaterials } from "../../packaging/bill-of-materials.ts";
import { withoutClusterVersion } from "../../packaging/asked.ts";
import { clusterVersionVariable, versionOf } from "../../packaging/project.ts";

afterEach(() => delete process.env[clusterVersionVariable]);

test("the programs of a cluster have its version, the others the project's", () => {
  for (const program of ["svc-upgrade", "svc-proxy", "svc-kube-updater"] as const)
    expect(versionOf(program)).toBe(project.version);
  expect(versionOf("svc")).toBe(project.clusterVersion);
});

test("whoever builds them may name another version of the cluster, which nothing else takes", () => {
  expect(withoutClusterVersion(["svc", "--cluster-version", "16.0.1", "amd64"])).toEqual(["svc", "amd64"]);
  expect([versionOf("svc"), versionOf("svc-proxy")]).toEqual(["16.0.1", project.version]);
  expect(billOfMaterials("svc", "amd64", [])).toMatchObject({ metadata: { component: { version: "16.0.1" } } });
});

test.each(["v15.4.6", "15.4", "", "15.4.6 "])('"%s" is no version of a cluster', (version) => {
  process.env[clusterVersionVariable] = version;
  expect(() => versionOf("svc")).toThrow(`the cluster's version is "${version}": give it as 15.4.5`);
});

test("the option without a version is refused", () => {
  expect(() => withoutClusterVersion(["svc", "--cluster-version"])).toThrow("needs a version");
});
