import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { conffiles, debContents } from "../../packaging/deb/package.ts";
import { namesOf, type Product } from "../../packaging/product.ts";
import { products } from "../../packaging/products/products.ts";
import { cluster } from "../../packaging/products/cluster.ts";
import { architectures, projectRoot } from "../../packaging/project.ts";
import { rpmContents } from "../../packaging/rpm/package.ts";
import { anchorsIn, linksIn } from "../links.ts";

/** What Debian's policy asks of a package, and what it has in other places than the others. */
const debianAlone = ({ packageName, program, examples }: Product): readonly string[] => [
  `etc/needrestart/conf.d/${program}.conf`,
  `usr/share/doc/${packageName}/changelog.gz`,
  `usr/share/doc/${packageName}/copyright`,
  `usr/share/lintian/overrides/${packageName}`,
  ...examples.map((name) => `usr/share/doc/${packageName}/examples/${name}`),
];
const elsewhere = (product: Product): ReadonlyMap<string, string> => {
  const { packageName } = product;
  const zsh = namesOf(product).map(
    ({ program }) => [`usr/share/zsh/vendor-completions/_${program}`, `usr/share/zsh/site-functions/_${program}`] as const,
  );
  return new Map([
    ...zsh,
    [`usr/share/doc/${packageName}/third-party-notices.gz`, `usr/share/licenses/${packageName}/third-party-notices.gz`],
  ]);
};
const rpmAlone = ({ packageName }: Product): readonly string[] => [`usr/share/licenses/${packageName}/LICENSE`];

describe.each(products)("the packages of $program", (product) => {
  test.each(architectures)("hold the same for %s, each in its distributions' places", (architecture) => {
    const fromDeb = debContents(architecture, product)
      .filter(({ to }) => !debianAlone(product).includes(to))
      .map((file) => ({ ...file, to: elsewhere(product).get(file.to) ?? file.to }));
    const fromRpm = rpmContents(architecture, product).filter(({ to }) => !rpmAlone(product).includes(to));
    expect(fromRpm).toEqual(fromDeb);
    expect(fromRpm.length).toBeGreaterThan(10);
  });

  test.each([
    ["deb", debContents("amd64", product), debianAlone(product)],
    ["rpm", rpmContents("amd64", product), rpmAlone(product)],
  ] as const)("have no name twice in the %s, which has what is its own", (_format, files, own) => {
    const names = files.map(({ to }) => to);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining([...own]));
  });

  test("let an administrator change what lies below /etc", () => {
    expect(conffiles(debContents("amd64", product))).toBe(`/etc/needrestart/conf.d/${product.program}.conf\n`);
  });

  test("have pages whose links lead to what is in them", () => {
    const files = debContents("amd64", product);
    const doc = `usr/share/doc/${product.packageName}`;
    const pages = new Map(files.flatMap((file) => ("text" in file && file.to.endsWith(".md") ? [[file.to, file.text]] : [])));
    expect([...pages.keys()]).toEqual(product.documents.map((document) => `${doc}/${document}`));
    for (const [page, text] of pages) {
      const astray = linksIn(page, text).filter(
        ({ path, anchor }) => anchor !== undefined && !anchorsIn(pages.get(path) ?? "").includes(anchor),
      );
      expect(astray).toEqual([]);
      expect(linksIn(page, text).filter(({ path }) => !pages.has(path))).toEqual([]);
      expect(text).not.toContain("<!--");
    }
  });

  test("have a manual page, completions and a place in the path by every name of the executable", () => {
    const files = debContents("amd64", product).map(({ to }) => to);
    for (const { program, page } of namesOf(product)) {
      expect(files).toEqual(
        expect.arrayContaining([
          `usr/bin/${program}`,
          `usr/share/man/man${page.section}/${program}.${page.section}.gz`,
          `usr/share/bash-completion/completions/${program}`,
          `usr/share/fish/vendor_completions.d/${program}.fish`,
        ]),
      );
    }
  });

  test("have no place empty that was to be filled", () => {
    const files = debContents("amd64", product).filter((file) => "text" in file);
    expect(files.filter(({ text }) => /@(?:package|program)@/.test(text))).toEqual([]);
  });
});

test("the package of a cluster has every page about one", () => {
  const pages = readdirSync(join(projectRoot, "docs")).filter((name) => name.startsWith("cluster"));
  expect(pages.filter((name) => !cluster.documents.includes(`docs/${name}` as `${string}.md`))).toEqual([]);
});

test("two packages have no file in common, so that a host may have both", () => {
  const names = products.flatMap((product) => debContents("amd64", product).map(({ to }) => to));
  expect(new Set(names).size).toBe(names.length);
});
