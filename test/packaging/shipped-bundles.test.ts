import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { billOfMaterials } from "../../packaging/bill-of-materials.ts";
import { bundle, type Bundle, type Part } from "../../packaging/bundle.ts";
import { contents } from "../../packaging/contents.ts";
import { quietParts } from "../../packaging/parts.ts";
import { products } from "../../packaging/products/products.ts";
import { architectures, projectRoot, runtimeVersion, type ProgramName } from "../../packaging/project.ts";

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

/** Bundles each program once. */
const made = new Map<ProgramName, Promise<Bundle>>();

function bundled(program: ProgramName): Promise<Bundle> {
  const bundling = made.get(program) ?? bundle(resolve(projectRoot, "src", `${program}.ts`), quietParts[program]);
  made.set(program, bundling);
  return bundling;
}

async function partOf(program: ProgramName, name: string): Promise<Part> {
  return (await bundled(program)).parts.find((part) => part.name === name)!;
}

/** Bytes are counted in steps: a sentence more is no matter, a library is. */
const step = 8 * 1024;

/** Each process of a tick reads its parts as a whole: what is added here costs every host at every tick. */
test("the quiet path has no more kilobytes than this", async () => {
  const kilobytes = quietParts["svc-upgrade"].map(async ({ name }) => {
    const { text } = await partOf("svc-upgrade", name);
    return [name, (Math.ceil(text.length / step) * step) / 1024] as const;
  });
  expect(Object.fromEntries(await Promise.all(kilobytes))).toEqual({ ask: 104, look: 176, pass: 56, calendar: 8, rpm: 24 });
});

/** For good in the memory of every host. */
test("what a host of the cluster reads holds no service and no library of one", async () => {
  const { sources } = await partOf("svc", "host");
  expect(sources).toContain("src/cluster/presence/reporting.ts");
  expect(sources.filter((source) => /^src\/cluster\/(?:auth|tsh)\/|^node_modules\//.test(source))).toEqual([]);
});

/** Read from the disk, unpacked and kept in memory by whoever types tctl: 60 ms and 20 MB, if the services were in it. */
test("a call of tctl reads nothing of the services, which lie in another part", async () => {
  const { sources, text } = await partOf("svc", "call");
  const rooms = new Set(sources.map((path) => /^src\/\w+\/(\w[\w-]*)\//.exec(path)?.[1]));
  for (const room of ["auth", "server", "presence", "svc"]) expect([room, rooms.has(room)]).toEqual([room, false]);
  for (const name of ["get", "ca", "backup"]) expect(sources).toContain(`src/cluster/tctl/commands/${name}.ts`);
  expect(text.length).toBeLessThan(336 * 1024);
});

describe.each(products)("the bill of materials of $program", (product) => {
  const { program, packageName } = product;

  test("names the runtime, what that is made of, and each package whose code is in the bundle, as package-lock.json has it", async () => {
    const { packages, parts } = await bundled(program);
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
