import { describe, expect, test } from "vitest";
import { manualPage } from "../../../packaging/man/page.ts";
import { server } from "../../../packaging/products/server.ts";
import { faultsOf } from "../../../src/rules/fault/program-faults.ts";
import { proxyFields } from "../../../src/proxy/server-rules/fields.ts";
import { readConfiguration } from "../../../src/proxy/server-rules/read-configuration.ts";
import { readYaml } from "../../../src/machine/yaml/read-yaml.ts";
import { parseVersion } from "../../../src/rules/version/version.ts";
import { hasGroff, rendered } from "./groff.ts";

const { more } = server.page;
const page = manualPage(server, { version: "1.2.3-rc.1", unixSeconds: 1_795_320_000 });

if (!hasGroff) console.warn("SKIPPED: the manual page of svc-proxy as it is read: groff is not installed");

describe.skipIf(!hasGroff)("the manual page of svc-proxy", () => {
  const screen = hasGroff ? rendered(page) : "";
  /** Without line breaks, to be searched. */
  const prose = screen.replaceAll(/\s+/g, " ");

  test("fits 80 columns, breaks no word, and has the sections that people look for, in their order", () => {
    const lines = screen.split("\n");
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(screen).not.toContain("\u2010");
    expect(lines.filter((line) => /^[A-Z]/.test(line)).slice(1)).toEqual([
      "NAME",
      "SYNOPSIS",
      "DESCRIPTION",
      "COMMANDS",
      "OPTIONS",
      "ANSWERS",
      "CONFIGURATION",
      "FILES",
      "ENVIRONMENT",
      "EXIT STATUS",
      "EXAMPLES",
      "SEE ALSO",
    ]);
  });

  test("has the version of the package and the day of the build", () => {
    expect(screen).toMatch(/^svc-proxy 1\.2\.3-rc\.1 +2026-11-22 +SVC-PROXY\(8\)$/m);
  });

  test("tells every command with its argument and its options", () => {
    for (const { name, argument, options } of server.commands) {
      expect(screen).toMatch(new RegExp(`^ {7}${name}${argument === undefined ? "(?: |$)" : ` ${argument.name}$`}`, "m"));
      for (const { flag, value } of options) expect(prose).toContain(value === undefined ? ` ${flag} ` : ` ${flag} ${value} `);
    }
  });

  test("tells every key that decides about the versions, and every fault", () => {
    const addresses = /(?<!^web|^diag)_listen_addr$|_public_addr$|^listen_addr$/;
    const refused = ["https_key_file", "https_cert_file"];
    const keys = Object.keys(proxyFields).filter((key) => !addresses.test(key) && !refused.includes(key));
    expect(keys).toContain("web_listen_addr");
    for (const key of keys) expect([key, prose.includes(key)]).toEqual([key, true]);
    for (const [code, { exit, meaning }] of Object.entries(faultsOf["svc-proxy"])) {
      expect(screen).toMatch(new RegExp(`^ {7}${exit} `, "m"));
      expect(prose.toLowerCase()).toContain(`${meaning.toLowerCase()} (${code}).`);
    }
  });

  test("says that nothing is enabled or started by an installation", () => {
    expect(prose).toContain("The installation of the package neither enables nor starts it");
  });
});

test("the page leaves no place empty that was to be filled", () => {
  expect(page).not.toMatch(/@\w+@|undefined|\[object/);
});

test("the configuration that the page shows is right", async () => {
  const shown = /^\.SH CONFIGURATION\n[^]*?^\.EX\n([^]*?)^\.EE/m.exec(page)?.[1]?.replaceAll("\\-", "-") ?? "";
  const yaml = await readYaml(shown);
  if (yaml.kind === "refused") throw new Error(yaml.why);
  const source = {
    origin: { kind: "file", path: "/etc/svc.yaml" },
    ownVersion: parseVersion("1.2.3")!,
    program: "svc-proxy",
  } as const;
  expect(readConfiguration(yaml.value, source)).toMatchObject({ kind: "configuration", remarks: [] });
});

test("nothing is added to a command or an option that there is not", () => {
  const known = server.commands.flatMap(({ name, options }) => [name, ...options.map(({ flag }) => flag)]);
  expect(Object.keys(more).filter((name) => !known.includes(name))).toEqual([]);
});
