import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { excerpt } from "../documents.ts";
import { downloadPackage } from "./lab/debian-package.ts";
import type { Host } from "./lab/host.ts";
import { mustRun, runProgram } from "./lab/program.ts";
import { scenario } from "./lab/scenario.ts";
import { configure, installedVersion, outdatedHost, schedule, tick, withUpdater } from "./updater.ts";

const bookworm = withUpdater({ suite: "bookworm" });
const collectors = "/var/lib/prometheus/node-exporter";
const metricsFile = "/var/lib/svc-upgrade/metrics.prom";
const project = join(import.meta.dirname, "../..");

/** Debian's own node exporter, which collects from `collectors`. */
async function installExporter(host: Host): Promise<void> {
  await host.copyIn(await downloadPackage(host, "prometheus-node-exporter"), "/root/exporter.deb");
  await host.mustRun(["dpkg", "-i", "/root/exporter.deb"]);
}

/** What a Prometheus server sees of the host: the updater's series, and whether a file could not be taken. */
async function scrape(host: Host): Promise<readonly string[]> {
  const text = await host.mustRun([
    "curl",
    "--silent",
    "--fail",
    "--retry",
    "5",
    "--retry-connrefused",
    "http://localhost:9100/metrics",
  ]);
  return text.split("\n").filter((line) => /^(svc_upgrade|node_textfile)_/.test(line));
}

async function warnings(host: Host): Promise<readonly string[]> {
  const lines = await host.mustRun(["journalctl", "--quiet", "-u", "svc-upgrade", "-p", "warning", "-o", "cat"]);
  return lines.split("\n").filter((line) => line !== "");
}

/** The promtool of Debian's package; all else of it stays unpacked. */
async function promtool(host: Host): Promise<string> {
  const tree = join(host.directory, "prometheus");
  await mustRun(["dpkg-deb", "--extract", await downloadPackage(host, "prometheus"), tree]);
  return join(tree, "usr/bin/promtool");
}

describe("the metrics of a host", () => {
  test(
    "reach node exporter through a link, after a pass outside the window and after an upgrade",
    scenario(bookworm, async (stage) => {
      const { host } = stage;
      await outdatedHost(stage);
      await installExporter(host);
      await configure(host, `metrics_file: ${metricsFile}\n`, "60-metrics");
      await host.mustRun(["ln", "-s", metricsFile, `${collectors}/svc-upgrade.prom`]);
      const { start } = await schedule(host, "closed");
      expect(await tick(host)).toBe(0);
      const waiting = await scrape(host);
      expect(waiting).toContain("node_textfile_scrape_error 0");
      expect(waiting).toContain('svc_upgrade_decision{kind="stay",why="outside-window"} 1');
      expect(waiting).toContain("svc_upgrade_available 1");
      expect(valueOf("svc_upgrade_decision_until_timestamp_seconds", waiting)).toBe(start);
      expect(valueOf("svc_upgrade_schedule_end_timestamp_seconds", waiting)).toBe(start + 3600);
      expect(Date.now() / 1000 - valueOf("svc_upgrade_last_pass_timestamp_seconds", waiting)).toBeLessThan(300);

      await schedule(host, "open");
      expect(await tick(host)).toBe(0);
      expect(await installedVersion(host)).toBe("15.4.6");
      const upgraded = await scrape(host);
      expect(upgraded).toContain("node_textfile_scrape_error 0");
      expect(upgraded).toContain('svc_upgrade_outcome{kind="moved"} 1');
      expect(upgraded).toContain("svc_upgrade_available 0");
      expect(upgraded.find((line) => line.startsWith("svc_upgrade_info"))).toMatch(/installed="15\.4\.6".*served="15\.4\.6"/);
      expect(valueOf('svc_upgrade_last_move_step_duration_seconds{step="install"}', upgraded)).toBeGreaterThan(0);
      expect(await warnings(host)).toEqual([]);
    }),
  );

  test(
    "are a warning where the unit may not write, and what it says to type repairs it",
    scenario(bookworm, async (stage) => {
      const { host } = stage;
      await outdatedHost(stage);
      await installExporter(host);
      await configure(host, `metrics_file: ${collectors}/svc-upgrade.prom\n`, "60-metrics");
      await schedule(host, "open");
      expect(await tick(host)).toBe(0);
      expect(await installedVersion(host)).toBe("15.4.6");
      const [warning = "", ...others] = await warnings(host);
      expect(others).toEqual([]);
      await expect(`${warning}\n`).toMatchFileSnapshot("golden/metrics-unwritable.txt");

      const words = /set `(metrics_file: \S+)` and lead the collector there: `(.+)`$/.exec(warning) ?? [];
      const [, setting = "", command = ""] = words.map((word) => word.replaceAll("sudo ", ""));
      await configure(host, `${setting}\n`, "60-metrics");
      await host.mustRun(["sh", "-c", command]);
      expect(await tick(host)).toBe(0);
      expect(await warnings(host)).toEqual([warning]);
      expect(await scrape(host)).toContain('svc_upgrade_decision{kind="stay",why="current"} 1');
    }),
  );

  test(
    "go to a directory of the updater's user that a drop-in opens, and not to one that is another's",
    scenario(bookworm, async (stage) => {
      const { host } = stage;
      await outdatedHost(stage);
      await host.mustRun(["install", "-d", "/srv/own", "/srv/other"]);
      await host.mustRun(["chown", "svc-upgrade", "/srv/own"]);
      await host.write(
        "/etc/systemd/system/svc-upgrade.service.d/metrics.conf",
        "[Service]\nReadWritePaths=/srv/own /srv/other\n",
      );
      await host.mustRun(["systemctl", "daemon-reload"]);
      await configure(host, "metrics_file: /srv/own/svc.prom\n", "60-metrics");
      expect(await tick(host)).toBe(0);
      expect(await host.read("/srv/own/svc.prom")).toContain("svc_upgrade_decision{");
      await configure(host, "metrics_file: /srv/other/svc.prom\n", "60-metrics");
      expect(await tick(host)).toBe(0);
      expect((await warnings(host)).at(-1)).toMatch(
        /^\/srv\/other\/svc\.prom could not be written: permission denied \(EACCES\); the user svc-upgrade may not write there/,
      );
      expect(await host.mustRun(["ls", "--almost-all", "/srv/other"])).toBe("");
    }),
  );

  test(
    "and the documented alerts are what promtool expects",
    scenario(bookworm, async (stage) => {
      const { host } = stage;
      await outdatedHost(stage);
      await configure(host, `metrics_file: ${metricsFile}\n`, "60-metrics");
      await schedule(host, "open");
      await tick(host);
      const program = await promtool(host);
      const texts = [await host.read(metricsFile), await readFile(join(project, "test/updater/metrics/updater.prom"), "utf8")];
      for (const input of texts) {
        expect(await runProgram([program, "check", "metrics"], { input })).toEqual({ status: 0, stdout: "", stderr: "" });
      }
      const path = join(host.directory, "rules.yaml");
      await writeFile(path, `${excerpt("alerts")}\n`);
      expect(await runProgram([program, "check", "rules", path])).toMatchObject({ status: 0, stderr: "" });
    }),
  );
});

function valueOf(series: string, scraped: readonly string[]): number {
  return Number(scraped.find((line) => line.startsWith(`${series} `))?.slice(series.length + 1));
}
