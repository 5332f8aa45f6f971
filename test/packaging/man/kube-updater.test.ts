import { expect, test } from "vitest";
import { manualPage } from "../../../packaging/man/page.ts";
import { kubeUpdater } from "../../../packaging/products/kube-updater.ts";
import { readUpdaterSettings } from "../../../src/kube/objects/settings.ts";
import { faultsOf } from "../../../src/rules/fault/program-faults.ts";
import { readYaml } from "../../../src/machine/yaml/read-yaml.ts";

const page = manualPage(kubeUpdater, { version: "1.2.3", unixSeconds: 1_795_320_000 });
const plain = page.replaceAll("\\-", "-");
const surrounding = {
  origin: { kind: "file", path: "/settings.yaml" },
  namespace: "agents",
  apiServer: { url: "https://10.0.0.1:443", caFile: "/ca.crt", tokenFile: "/token" },
} as const;

test("the manual page of svc-kube-updater tells every setting and every fault", () => {
  const read = readUpdaterSettings("nothing", surrounding);
  const keys = read.kind === "faults" ? read.faults.flatMap(({ allowed }) => allowed.split(", ")) : [];
  expect(keys).toContain("object");
  const told = plain.split(/[^a-z_]+/);
  expect(keys.filter((key) => !told.includes(key))).toEqual([]);
  expect(Object.keys(faultsOf["svc-kube-updater"]).filter((code) => !plain.includes(`(\\fB${code}\\fR)`))).toEqual([]);
});

test("the settings that it shows are right", async () => {
  const yaml = await readYaml(/^\.SH SETTINGS\n[^]*?^\.EX\n([^]*?)^\.EE/m.exec(plain)?.[1] ?? "");
  if (yaml.kind === "refused") throw new Error(yaml.why);
  expect(readUpdaterSettings(yaml.value, surrounding).kind).toBe("settings");
});
