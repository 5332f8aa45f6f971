import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { Fault } from "../../../src/rules/fault/fault.ts";
import type { PassPorts } from "../../../src/updater/pass/pass.ts";
import type { PassRecord } from "../../../src/updater/record/state.ts";
import { usualAgentPaths } from "../../agent-paths.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";
import { conductorBelow, type Conducted } from "./conducting.ts";
import { closedSchedule, now } from "./given.ts";

const folder = scratchFolder();
const root = `${folder}/root`;
const { paths, lines, conduct: conductWith } = conductorBelow(root);
const metricsFile = `${root}/srv/metrics/svc.prom`;
const settings = "endpoint: https://proxy.test\nmetrics_file: /srv/metrics/svc.prom\n";

afterEach(() => {
  lines.length = 0;
  rmSync(folder, { recursive: true, force: true });
});

function conduct(given: Partial<Conducted> = {}): Promise<PassRecord> {
  return conductWith({ settings, ...given });
}

function metricsDirectory(): void {
  mkdirSync(`${root}/srv/metrics`, { recursive: true });
}

const broken = new Fault("manager-unclear", { message: "two managers", hint: "name one" });
const breaking = (ports: PassPorts): PassPorts => ({ ...ports, findManager: () => Promise.reject(broken) });

describe("the metrics of a pass, below another root in that root", () => {
  test("tell what it decided and recorded, and how the schedule file stands", async () => {
    metricsDirectory();
    mkdirSync(`${root}/etc/svc-upgrade.d`, { recursive: true });
    writeFileSync(usualAgentPaths(paths).schedule, `${now + 7200} ${now + 10_800}\n`);
    await conduct({ schedule: closedSchedule });
    const text = readFileSync(metricsFile, "utf8");
    expect(text).toContain('svc_upgrade_decision{kind="stay",why="outside-window"} 1\n');
    expect(text).toContain(`svc_upgrade_last_pass_timestamp_seconds ${now}\n`);
    expect(text).toContain(`svc_upgrade_last_success_timestamp_seconds ${now}\n`);
    expect(text).toContain(`svc_upgrade_schedule_end_timestamp_seconds ${now + 10_800}\n`);
    expect(text).toContain("svc_upgrade_available 1\n");
    expect(lines.filter(({ level }) => level === "warning")).toEqual([]);
  });

  test("tell what broke it off before it could decide", async () => {
    metricsDirectory();
    await expect(conduct({ change: breaking })).rejects.toBe(broken);
    expect(readFileSync(metricsFile, "utf8")).toContain('svc_upgrade_outcome{kind="stopped",fault="manager-unclear"} 1\n');
    await expect(conduct({ settings: "metrics_file: /srv/metrics/svc.prom\n" })).rejects.toMatchObject({
      code: "endpoint-missing",
    });
    const text = readFileSync(metricsFile, "utf8");
    expect(text).toContain('svc_upgrade_decision{kind="stop",why="endpoint-missing"} 1\n');
    expect(text).toContain("svc_upgrade_consecutive_failures 2\n");
  });

  test("stay as they were where the settings are wrong, and do not begin without the setting", async () => {
    await conduct({ settings: "endpoint: https://proxy.test\n" });
    expect(readdirSync(folder)).toEqual(["root"]);
    metricsDirectory();
    await expect(conduct({ settings: `${settings}major: some\n` })).rejects.toMatchObject({ code: "settings-invalid" });
    expect(existsSync(metricsFile)).toBe(false);
  });

  test("lie where the pass may write, for the usual place of them, to which a link of the package leads", async () => {
    await conduct({ settings: "endpoint: https://proxy.test\nmetrics_file: /var/lib/svc-upgrade/metrics.prom\n" });
    expect(readFileSync(`${paths.stateDirectory}/metrics.prom`, "utf8")).toContain("svc_upgrade_available 0\n");
    expect(readdirSync(paths.rootsDirectory)).not.toContain("metrics.prom");
  });

  test("that cannot be written are one warning that says what to type, and change nothing else", async () => {
    const { outcome } = await conduct({ schedule: closedSchedule });
    expect(outcome).toEqual({ kind: "stayed" });
    expect(lines.filter(({ level }) => level !== "info")).toEqual([
      {
        level: "warning",
        sentence: `${metricsFile} could not be written: no such file or directory (ENOENT); the user svc-upgrade may not write there: set \`metrics_file: /var/lib/svc-upgrade/metrics.prom\` and lead the collector there: \`sudo mkdir -p ${root}/srv/metrics && sudo ln -sf /var/lib/svc-upgrade/metrics.prom ${metricsFile}\``,
        fields: {},
      },
    ]);
    await expect(conduct({ change: breaking })).rejects.toBe(broken);
  });

  test("are none where nobody knows any more what the passes left", async () => {
    metricsDirectory();
    await conduct({
      change: (ports) => ({
        ...ports,
        saveState: () => {
          writeFileSync(paths.state, "spoilt");
        },
      }),
    });
    expect(existsSync(metricsFile)).toBe(false);
    expect(lines.filter(({ level }) => level === "warning")).toEqual([]);
  });
});
