import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { billOfMaterials } from "../../packaging/bill-of-materials.ts";
import { bundle } from "../../packaging/bundle.ts";
import { contents } from "../../packaging/contents.ts";
import { quietParts } from "../../packaging/parts.ts";
import { products } from "../../packaging/products/products.ts";
import { architectures, projectRoot, runtimeVersion } from "../../packaging/project.ts";

type Component = {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly "bom-ref": string;
  readonly hashes: readonly { readonly content: string }[];
  readonly components?: readonly Component[];
};
type Bill = {
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly dependsOn: readonly string[] }[];
};

describe.each(products)("the bill of materials of $program", (product) => {
  const { program, packageName } = product;

  test("names the runtime, what that is made of, and each package whose code is in the bundle, as package-lock.json has it", async () => {
    const { packages, parts } = await bundle(resolve(projectRoot, "src", `${program}.ts`), quietParts[program]);
    const { components, dependencies } = billOfMaterials(program, "amd64", packages) as Bill;
    const [runtime, ...libraries] = components;
    expect(runtime).toMatchObject({ name: "node", version: runtimeVersion, purl: `pkg:generic/node@${runtimeVersion}` });
    expect(runtime?.components?.map(({ purl }) => purl)).toContain(`pkg:generic/openssl@${process.versions.openssl}`);
    const named = libraries.map(({ name, version }) => ({ name, version }));
    expect(named).toEqual(
      packages.map((folder) => {
        const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, string>;
        return { name, version };
      }),
    );
    expect(named).toContainEqual({ name: "semver", version: expect.any(String) as string });
    expect(parts.length).toBeGreaterThan(0);
    expect(dependencies[0]?.dependsOn).toEqual(components.map((component) => component["bom-ref"]));
  });

  test("has the checksum of each archive, another one for each architecture's runtime", () => {
    const [amd64, arm64] = architectures.map((architecture) => {
      const { components } = billOfMaterials(program, architecture, [join(projectRoot, "node_modules/@pinojs/redact")]) as Bill;
      return components.map(({ hashes }) => hashes);
    });
    expect(amd64).toHaveLength(2);
    for (const [archive] of amd64 ?? []) expect(archive?.content).toMatch(/^[0-9a-f]{128}$/);
    expect(arm64?.[0]).not.toEqual(amd64?.[0]);
    expect(arm64?.[1]).toEqual(amd64?.[1]);
  });

  test("lies in its packages, where scanners look", () => {
    const files = contents(product, "amd64", { zshCompletions: "usr/share/zsh", licences: "usr/share/licenses" });
    expect(files.map(({ to }) => to)).toContain(`usr/share/doc/${packageName}/sbom.cdx.json`);
  });
});

test("a package that package-lock.json does not know cannot be billed", () => {
  expect(() => billOfMaterials("svc-proxy", "amd64", [join(projectRoot, "node_modules/nobody")])).toThrow(
    "does not say version, integrity and license of node_modules/nobody",
  );
});
