import { describe, expect, test } from "vitest";
import type { Planned } from "../../../../src/updater/package/manager/manager.ts";
import { refuseMislabelled, type PackageFile } from "../../../../src/updater/package/failure/refuse-mislabelled.ts";

const agent: Planned = { name: "svc-ent", version: "15.4.6", architecture: "amd64" };
const library: Planned = { name: "libbar", version: "1.0", architecture: undefined };
const file = (is: Planned | undefined, path = "/cache/a.deb"): PackageFile => ({ path, is });

describe("the files of a plan", () => {
  test.each<{ title: string; is: Planned | undefined; told: string }>([
    { title: "another version", is: { ...agent, version: "15.4.5" }, told: "svc-ent 15.4.5 (amd64)" },
    { title: "nothing that is a package", is: undefined, told: "no package for this host" },
  ])("are refused where one says of itself $title, with what was found and what was expected", ({ is, told }) => {
    const refusing = (): void => refuseMislabelled([agent, library], [file(library), file(is, "/cache/b.deb")]);
    expect(refusing).toThrow(
      expect.objectContaining({
        code: "package-mislabelled",
        message: `nothing was installed: the repository offers svc-ent 15.4.6 (amd64), and /cache/b.deb is ${told}`,
      }),
    );
  });

  test("are refused in two hundred characters of a path, and eighty of a name", () => {
    const refused = (path: number, name: number) => (): void =>
      refuseMislabelled([agent], [file({ ...agent, name: "n".repeat(name) }, `/${"p".repeat(path - 1)}`)]);
    expect(refused(200, 80)).toThrow(`and /${"p".repeat(199)} is ${"n".repeat(80)} 15.4.6`);
    expect(refused(201, 81)).toThrow(`and /${"p".repeat(199)}… is ${"n".repeat(80)}… 15.4.6`);
  });

  test("are refused where one is missing, and where there is one too many", () => {
    expect(() => refuseMislabelled([agent, library], [file(agent)])).toThrow("offers libbar 1.0, and no file of it was fetched");
    const more = [file(agent), file({ ...library, name: "evil" }, "/cache/evil")];
    expect(() => refuseMislabelled([agent], more)).toThrow("offers svc-ent 15.4.6 (amd64), and /cache/evil is evil 1.0");
  });
});
