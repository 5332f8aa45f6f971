import { describe, expect, test } from "vitest";
import { manualPage } from "../../../packaging/man/page.ts";
import { namesOf } from "../../../packaging/product.ts";
import { cluster } from "../../../packaging/products/cluster.ts";
import { kubeUpdater } from "../../../packaging/products/kube-updater.ts";
import { server } from "../../../packaging/products/server.ts";
import { updater } from "../../../packaging/products/updater.ts";
import { readUpdaterSettings } from "../../../src/kube/objects/settings.ts";
import { pathsBelow } from "../../../src/machine/files/paths.ts";
import { readYaml } from "../../../src/machine/yaml/read-yaml.ts";
import { proxyFields } from "../../../src/proxy/server-rules/fields.ts";
import { readConfiguration } from "../../../src/proxy/server-rules/read-configuration.ts";
import { faultsOf } from "../../../src/rules/fault/program-faults.ts";
import { faultTable } from "../../../src/rules/fault/table.ts";
import { settingsReference } from "../../../src/rules/settings/reference.ts";
import { parseVersion } from "../../../src/rules/version/version.ts";
import { resourceKinds } from "../../../src/cluster/resource/resource.ts";
import { readServices } from "../../../src/cluster/services/read-services.ts";
import { readTime } from "../../../src/updater/cli/times/read-time.ts";
import { moveReasons, stayReasons } from "../../../src/updater/plan/host-reasons.ts";
import { hasGroff, rendered } from "./groff.ts";

if (!hasGroff) console.warn("SKIPPED: the manual pages as they are read: groff is not installed");

const last = ["FILES", "ENVIRONMENT", "EXIT STATUS", "EXAMPLES"];
const own = {
  "svc-upgrade": ["TIMES", "SETTINGS", "SCHEDULE", "REASONS", "METRICS", ...last],
  "svc-proxy": ["ANSWERS", "CONFIGURATION", ...last],
  svc: ["CONFIGURATION", ...last],
  tctl: ["RESOURCES", ...last],
  tsh: last,
  "svc-kube-updater": ["SETTINGS", ...last],
} as const;

const pages = [updater, server, ...namesOf(cluster), kubeUpdater].map((called) => ({
  ...called,
  text: manualPage(called, { version: "1.2.3-rc.1", unixSeconds: 1_795_320_000 }),
}));

const textOf = (name: keyof typeof own): string => pages.find(({ program }) => program === name)!.text;
/** As it is read, without line breaks, to be searched. */
const proseOf = (name: keyof typeof own): string => rendered(textOf(name)).replaceAll(/\s+/g, " ");

describe.each(pages)("the manual page of $program", ({ program, page, commands, text }) => {
  const screen = hasGroff ? rendered(text) : "";
  const prose = screen.replaceAll(/\s+/g, " ");

  test.skipIf(!hasGroff)("fits 80 columns, breaks no word, and has the sections that people look for, in their order", () => {
    const lines = screen.split("\n");
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(screen).not.toContain("\u2010");
    const sections = ["NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS", ...own[program as keyof typeof own], "SEE ALSO"];
    expect(lines.filter((line) => /^[A-Z]/.test(line)).slice(1)).toEqual(sections);
  });

  test.skipIf(!hasGroff)("has the version and the day of the build", () => {
    const title = `${program.toUpperCase()}\\(${page.section}\\)`;
    expect(screen).toMatch(new RegExp(`^${program} 1\\.2\\.3-rc\\.1 +2026-11-22 +${title}$`, "m"));
  });

  test.skipIf(!hasGroff)("tells every command with its argument and its options, in both their forms, and no hidden one", () => {
    const leads = screen.split("\n").map((line) => line.slice(7));
    for (const { name, argument, options } of commands) {
      if (argument === undefined) expect(leads.some((line) => `${line} `.startsWith(`${name} `))).toBe(true);
      else expect(leads).toContain(argument.isRequired ? `${name} ${argument.name}` : `${name} [${argument.name}]`);
      for (const { flag, short, value } of options) {
        const flags = short === undefined ? flag : `${short}, ${flag}`;
        expect(prose).toContain(value === undefined ? ` ${flags} ` : ` ${flags} ${value} `);
      }
    }
    if (program === "svc-upgrade") expect(screen).not.toMatch(/^ {7}(pass|ask)( |$)/m);
  });

  test.skipIf(!hasGroff)("tells every fault with its exit status", () => {
    const faults = program === "svc-upgrade" ? faultTable : faultsOf[program as keyof typeof faultsOf];
    for (const [code, { exit, meaning }] of Object.entries(faults)) {
      expect(screen).toMatch(new RegExp(`^ {7}${exit} `, "m"));
      expect(prose).toMatch(new RegExp(`[ (]${code}[ )]`));
      expect(prose.toLowerCase()).toContain(meaning.replaceAll("`", "").toLowerCase());
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

describe.skipIf(!hasGroff)("what a program reads is told in full", () => {
  test("by svc-upgrade: settings, reasons, and every place where it reads or writes", () => {
    const screen = rendered(textOf("svc-upgrade"));
    const keys = [...settingsReference().map(({ key }) => key), ...Object.keys({ ...stayReasons, ...moveReasons })];
    for (const key of keys) expect(screen).toMatch(new RegExp(`^ {7}${key}(?: |$)`, "m"));
    const { root: _root, stateDirectory: _folder, settingsDirectories, ...files } = pathsBelow("/");
    const prose = proseOf("svc-upgrade");
    for (const path of [...settingsDirectories, ...Object.values(files)]) {
      const folder = path.replace(/[^/]+$/, "");
      expect([prose.includes(path), prose.includes(` ${folder}`), path]).toContain(true);
    }
  });

  test("by svc-proxy: every key that decides about the versions, and that no installation starts it", () => {
    const prose = proseOf("svc-proxy");
    const addresses = /(?<!^web|^diag)_listen_addr$|_public_addr$|^listen_addr$/;
    const refused = ["https_key_file", "https_cert_file"];
    const keys = Object.keys(proxyFields).filter((key) => !addresses.test(key) && !refused.includes(key));
    expect(keys).toContain("web_listen_addr");
    for (const key of keys) expect([key, prose.includes(key)]).toEqual([key, true]);
    expect(prose).toContain("The installation of the package neither enables nor starts it");
  });

  test("by tctl: every kind that is made from a file, and no other", () => {
    const [, told = ""] = /kinds are ([^.]*)\./i.exec(proseOf("tctl")) ?? [];
    expect(told.split(/,? and the connectors |,? and |, /).toSorted()).toEqual(resourceKinds.toSorted());
  });

  test("by svc-kube-updater: every setting", () => {
    const read = readUpdaterSettings("nothing", surrounding);
    const keys = read.kind === "faults" ? read.faults.flatMap(({ allowed }) => allowed.split(", ")) : [];
    expect(keys).toContain("object");
    const told = proseOf("svc-kube-updater").split(/[^a-z_]+/);
    expect(keys.filter((key) => !told.includes(key))).toEqual([]);
  });
});

const surrounding = {
  origin: { kind: "file", path: "/settings.yaml" },
  namespace: "agents",
  apiServer: { url: "https://10.0.0.1:443", caFile: "/ca.crt", tokenFile: "/token" },
} as const;
const source = { origin: { kind: "file", path: "/etc/svc.yaml" }, ownVersion: parseVersion("1.2.3")! } as const;

test.each<[name: keyof typeof own, section: string, read: (value: unknown) => unknown, is: object]>([
  ["svc", "CONFIGURATION", (value) => readServices(value, source), { kind: "services", remarks: [] }],
  [
    "svc-proxy",
    "CONFIGURATION",
    (value) => readConfiguration(value, { ...source, program: "svc-proxy" }),
    { kind: "configuration", remarks: [] },
  ],
  ["svc-kube-updater", "SETTINGS", (value) => readUpdaterSettings(value, surrounding), { kind: "settings" }],
])("what the page of %s shows under %s is right", async (name, section, read, is) => {
  const text = textOf(name).replaceAll("\\-", "-");
  const yaml = await readYaml(new RegExp(`^\\.SH ${section}\n[^]*?^\\.EX\n([^]*?)^\\.EE`, "m").exec(text)?.[1] ?? "");
  if (yaml.kind === "refused") throw new Error(yaml.why);
  expect(read(yaml.value)).toMatchObject(is);
});

test("the times that the page of svc-upgrade shows are understood", () => {
  const shown = /^\.SH TIMES\n([^]*?)^\.SH /m.exec(textOf("svc-upgrade"))?.[1] ?? "";
  const times = [...shown.matchAll(/^\.TP\n\.BR? (.*)$/gm)].flatMap(([, tag = ""]) => tag.split(/ ?", " ?/));
  const plain = times.map((time) =>
    time
      .replaceAll(/\\\(dq|"/g, "")
      .replaceAll("\\-", "-")
      .trim(),
  );
  expect(plain).toHaveLength(13);
  for (const time of plain)
    expect([time, readTime(time, { now: 1_795_000_000, zone: "Europe/Berlin" })]).toEqual([time, expect.any(Number)]);
});
