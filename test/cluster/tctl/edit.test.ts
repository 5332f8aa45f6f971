import { chmodSync, existsSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { maintenance, startTctl, type Said, type Tctl } from "./running.ts";

/** A program as people set one, which does to the file what they would. */
async function edited(script: string, check: (on: Tctl, came: Said) => void | Promise<void>): Promise<void> {
  const environment: Record<string, string> = {};
  await using on = await startTctl(environment);
  const editor = on.file(
    "editor",
    `#!/bin/sh\nf=$1; log=$(dirname "$0")/log\ncp "$f" "$log.$(ls "$log".* 2>/dev/null | wc -l)"\n${script}\n`,
  );
  chmodSync(editor, 0o755);
  environment["EDITOR"] = editor;
  await on.tctl("create", on.file("maintenance.yaml", maintenance));
  await check(on, await on.tctl("edit", "cluster_maintenance_config"));
}

function keptFile({ error }: Said): string {
  return /what you typed is kept in (\S+)/.exec(error)?.[1] ?? "";
}

describe("edit", () => {
  it("changes what was changed", async () => {
    await edited(`sed -i 's/hour: 2/hour: 5/' "$f"`, async (on, came) => {
      expect([came.status, came.error]).toEqual([0, ""]);
      expect(came.out).toMatch(/^maintenance window has been updated\nIt opens next:\n/);
      const { out } = await on.tctl("get", "cluster_maintenance_config");
      expect(out).toContain("utc_start_hour: 5");
    });
  });

  it("changes nothing where nothing was", async () => {
    await edited("true", (_on, came) => expect(came).toEqual({ status: 0, out: "maintenance window is as it was\n", error: "" }));
  });

  it("changes nothing where everything was taken out", async () => {
    await edited(`: > "$f"`, (_on, came) => expect(came.out).toBe("maintenance window is as it was\n"));
  });

  it("comes back with the faults as comments, and takes what is right then", async () => {
    const script = `if grep -q 'hour: 77' "$f"; then sed -i 's/hour: 77/hour: 6/' "$f"; else sed -i 's/hour: 2/hour: 77/' "$f"; fi`;
    await edited(script, async (on, came) => {
      expect(came.status).toBe(0);
      expect((await on.tctl("get", "cluster_maintenance_config")).out).toContain("utc_start_hour: 6");
      const second = readFileSync(`${on.directory}/log.1`, "utf8");
      expect(second).toContain(
        "#! line 8: .spec.agent_upgrades.utc_start_hour: 77; allowed: a whole number from 0 to 23, in UTC\n",
      );
      expect(second).toContain("\n    utc_start_hour: 77\n");
    });
  });

  it("gives up where the faults are left as they are, and keeps what was typed for its owner alone", async () => {
    await edited(`sed -i 's/hour: 2$/hour: 77/' "$f"`, (_on, came) => {
      expect(came.status).toBe(65);
      expect(came.error).toContain("utc_start_hour: 77");
      const file = keptFile(came);
      expect(readFileSync(file, "utf8")).toContain("utc_start_hour: 77");
      expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
      expect(came.error).toContain(` create -f ${file}`);
    });
  });

  it("makes nothing else of it", async () => {
    await edited(`printf 'kind: user\\nmetadata: {name: mallory}\\nspec: {roles: []}\\n' > "$f"`, async (on, came) => {
      expect(came.status).toBe(65);
      expect(came.error).toContain("another resource");
      expect((await on.tctl("get", "user/mallory")).status).toBe(69);
    });
  });

  it("is told who was quicker, and keeps what was typed", async () => {
    const resource = { kind: "cluster_maintenance_config", spec: { agent_upgrades: { utc_start_hour: 9 } } };
    const program = `require("node:http").request({ socketPath: process.argv[1], method: "POST", path: "/svc.v1.ResourceService/UpsertResource", headers: { "content-type": "application/json" } }, (answer) => answer.resume()).end(process.argv[2])`;
    const call = `'${process.execPath}' -e '${program}' "$(dirname "$0")/root/auth.sock" '${JSON.stringify({ resource })}'`;
    await edited(`sed -i 's/hour: 2/hour: 5/' "$f"\n${call}`, async (on, came) => {
      expect(came.status).toBe(73);
      expect(came.error).toContain("root@auth1");
      expect(readFileSync(keptFile(came), "utf8")).toContain("utc_start_hour: 5");
      expect((await on.tctl("get", "cluster_maintenance_config")).out).toContain("utc_start_hour: 9");
    });
  });

  it("says so where the editor fails, and loses nothing", async () => {
    await edited(`sed -i 's/hour: 2/hour: 5/' "$f"; exit 3`, async (on, came) => {
      expect(came.status).toBe(74);
      expect(came.error).toContain("it ended with status 3");
      expect(existsSync(keptFile(came))).toBe(true);
      expect((await on.tctl("get", "cluster_maintenance_config")).out).toContain("utc_start_hour: 2");
    });
  });

  it("says so where there is no such editor", async () => {
    await using on = await startTctl({ VISUAL: "no-such-editor --wait" });
    await on.tctl("create", on.file("maintenance.yaml", maintenance));
    const came = await on.tctl("edit", "cluster_maintenance_config");
    expect(came.error).toMatch(
      /the editor "no-such-editor --wait" did not do its work: .*ENOENT.*\nnext: choose one: `EDITOR=nano tctl edit …`\n$/,
    );
  });
});
