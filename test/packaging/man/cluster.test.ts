import { describe, expect, test } from "vitest";
import { manualPage } from "../../../packaging/man/page.ts";
import { namesOf } from "../../../packaging/product.ts";
import { cluster } from "../../../packaging/products/cluster.ts";
import { kubeUpdater } from "../../../packaging/products/kube-updater.ts";
import { readYaml } from "../../../src/machine/yaml/read-yaml.ts";
import { faultsOf } from "../../../src/rules/fault/program-faults.ts";
import { resourceKinds } from "../../../src/cluster/resource/resource.ts";
import { readServices } from "../../../src/cluster/services/read-services.ts";
import { parseVersion } from "../../../src/rules/version/version.ts";
import { hasGroff, rendered } from "./groff.ts";

if (!hasGroff)
  console.warn("SKIPPED: the manual pages of svc, tctl, tsh and svc-kube-updater as they are read: groff is not installed");

const own: Readonly<Record<string, readonly string[]>> = {
  svc: ["CONFIGURATION", "FILES", "ENVIRONMENT", "EXIT STATUS", "EXAMPLES"],
  tctl: ["RESOURCES", "FILES", "ENVIRONMENT", "EXIT STATUS", "EXAMPLES"],
  tsh: ["FILES", "ENVIRONMENT", "EXIT STATUS", "EXAMPLES"],
  "svc-kube-updater": ["SETTINGS", "FILES", "ENVIRONMENT", "EXIT STATUS", "EXAMPLES"],
};

const pages = [...namesOf(cluster), kubeUpdater].map((called) => ({
  ...called,
  text: manualPage(called, { version: "15.4.5", unixSeconds: 1_795_320_000 }),
}));

describe.each(pages)("the manual page of $program", ({ program, page, commands, text }) => {
  const screen = hasGroff ? rendered(text) : "";
  /** Without line breaks, to be searched. */
  const prose = screen.replaceAll(/\s+/g, " ");

  test.skipIf(!hasGroff)("fits 80 columns, breaks no word, and has the sections that people look for, in their order", () => {
    const lines = screen.split("\n");
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(screen).not.toContain("\u2010");
    const sections = ["NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS", ...own[program]!, "SEE ALSO"];
    expect(lines.filter((line) => /^[A-Z]/.test(line)).slice(1)).toEqual(sections);
  });

  test.skipIf(!hasGroff)("has the cluster's version and the day of the build", () => {
    const title = `${program.toUpperCase()}\\(${page.section}\\)`;
    expect(screen).toMatch(new RegExp(`^${program} 15\\.4\\.5 +2026-11-22 +${title}$`, "m"));
  });

  test.skipIf(!hasGroff)("tells every command with its argument and its options, in both their forms", () => {
    const leads = screen.split("\n").map((line) => line.slice(7));
    for (const { name, argument, options } of commands) {
      if (argument === undefined) expect(leads.some((line) => `${line} `.startsWith(`${name} `))).toBe(true);
      else expect(leads).toContain(argument.isRequired ? `${name} ${argument.name}` : `${name} [${argument.name}]`);
      for (const { flag, short, value } of options) {
        const flags = short === undefined ? flag : `${short}, ${flag}`;
        expect(prose).toContain(value === undefined ? ` ${flags} ` : ` ${flags} ${value} `);
      }
    }
  });

  test("leaves no place empty that was to be filled", () => {
    expect(text).not.toMatch(/@\w+@|undefined|\[object/);
  });

  test("adds nothing to a command or an option that there is not", () => {
    const known = commands.flatMap(({ name, options }) => [name, ...options.map(({ flag }) => flag)]);
    expect(Object.keys(page.more).filter((name) => !known.includes(name))).toEqual([]);
  });
});

test.skipIf(!hasGroff).each(["svc", "tctl"] as const)("the page of %s tells every fault by its exit status", (program) => {
  const screen = rendered(pages.find((one) => one.program === program)!.text);
  const prose = screen.replaceAll(/\s+/g, " ").toLowerCase();
  for (const [code, { exit, meaning }] of Object.entries(faultsOf[program])) {
    expect(screen).toMatch(new RegExp(`^ {7}${exit} `, "m"));
    expect(prose).toContain(`${meaning.toLowerCase()} (${code}).`);
  }
});

test.skipIf(!hasGroff)("the page of tctl names every kind that is made from a file, and no other", () => {
  const prose = rendered(pages.find(({ program }) => program === "tctl")!.text).replaceAll(/\s+/g, " ");
  const [, told = ""] = /kinds are ([^.]*)\./i.exec(prose) ?? [];
  expect(told.split(/,? and the connectors |,? and |, /).toSorted()).toEqual(resourceKinds.toSorted());
});

test("the configuration that the page of svc shows is right", async () => {
  const { text } = pages[0]!;
  const shown = /^\.SH CONFIGURATION\n[^]*?^\.EX\n([^]*?)^\.EE/m.exec(text)?.[1]?.replaceAll("\\-", "-") ?? "";
  const yaml = await readYaml(shown);
  if (yaml.kind === "refused") throw new Error(yaml.why);
  const source = { origin: { kind: "file", path: "/etc/svc.yaml" }, ownVersion: parseVersion("15.4.5")! } as const;
  expect(readServices(yaml.value, source)).toMatchObject({ kind: "services", remarks: [] });
});
