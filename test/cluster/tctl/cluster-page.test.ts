import { expect } from "vitest";
import { readYaml } from "../../../src/machine/yaml/read-yaml.ts";
import { readServices } from "../../../src/cluster/services/read-services.ts";
import { parseVersion } from "../../../src/rules/version/version.ts";
import { blockIn, excerpt, textOf, updateBlock } from "../../documents.ts";
import { beInBerlin, maintenance, role, startTctl, timeless, testTctl as it } from "./running.ts";

beInBerlin();

const pin = `sha256:${"9764a1af08297255".repeat(4)}`;

it("shows what is typed from the first start to the first window, and what is answered", async ({ on }) => {
  const file = on.file("maintenance.yaml", `${role}---\n${maintenance}`);
  const lines: readonly string[] = [
    "status",
    "create maintenance.yaml",
    "users add alice --roles=editor,maintenance-manager",
    "get cluster_maintenance_config",
    "status",
    "backup /root/cluster.backup",
  ];
  const screens: string[] = [];
  for (const line of lines) {
    const words = line.replace("maintenance.yaml", file).replace("/root", on.directory).split(" ");
    const came = await on.tctl(...words);
    expect([line, came.status]).toEqual([line, 0]);
    const answer = timeless(came, on)
      .replaceAll("sha256:PIN", pin)
      .replaceAll("SHA256:FINGERPRINT", "SHA256:7g1BHvKhuUPGgHN+CQNXH6/7hByZ8XL24FBm3BKbsOw")
      .replaceAll("DIR", "/root")
      .replaceAll(" -c /root/svc.yaml", "");
    screens.push(`$ tctl ${line}\n${answer}`);
  }
  const shown = [...screens.slice(0, 1), `$ cat maintenance.yaml\n${role}---\n${maintenance}`, ...screens.slice(1)].join("\n");
  const made = `\n${shown.replaceAll(/^(?=.)/gm, "    ")}\n`;
  updateBlock("cluster-first-window", made);
  expect(blockIn("cluster-first-window")).toBe(made);
});

it.each([
  ["auth alone", [excerpt("cluster-configuration")]],
  ["a proxy beside it", [excerpt("cluster-configuration"), excerpt("cluster-proxy")]],
])("shows a configuration that is right: %s", async (_what, parts) => {
  const yaml = await readYaml(parts.join("\n"));
  if (yaml.kind === "refused") throw new Error(yaml.why);
  const source = { origin: { kind: "file", path: "/etc/svc.yaml" }, ownVersion: parseVersion("15.4.5")! } as const;
  expect(readServices(yaml.value, source)).toMatchObject({ kind: "services", remarks: [] });
});

it("quotes what is really said of mistakes", async () => {
  const page = textOf("docs/cluster.md");
  await using on = await startTctl();
  const file = on.file("role.yaml", role);
  await on.tctl("create", file);
  const again = await on.tctl("create", file);
  expect(again.error).toContain("there is a role maintenance-manager already, changed last by ");
  expect(page).toContain("`there is a role … already, changed last by …`");
});
