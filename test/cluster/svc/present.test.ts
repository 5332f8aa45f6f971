import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { program } from "../../updater/cli/given.ts";
import { startOverTls } from "../auth/over-tls.ts";
import { makeHost, makeToken } from "../presence/host.ts";
import { startReportStandIn } from "../presence/report-stand-in.ts";
import { place, service, typed } from "./process.ts";

/**
 * All of it as people do it: an empty configuration, a join, a reload, and the updater's own command reads the window. With auth's own
 * handler of reports, auth and its window are `service` and `tctl create`, and nobody stands in.
 */
test("a plain host joins while it runs, and its updater reads the cluster's window", async () => {
  await using auth = await startOverTls();
  await using reports = await startReportStandIn(auth);
  using host = makeHost(auth, "node");
  using at = place("svc: {data_dir: DIR/data, updater_root: DIR/root}\n");
  const root = join(at.directory, "root");
  for (const folder of ["etc/svc-upgrade.d", "usr/lib/systemd/system", "etc/systemd/system/timers.target.wants"])
    mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, "usr/lib/systemd/system/svc-upgrade.timer"), "");
  symlinkSync("/dev/null", join(root, "etc/systemd/system/timers.target.wants/svc-upgrade.timer"));
  const from = Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 3_600_000;
  const opening = { start: new Date(from).toISOString(), stop: new Date(from + 3_600_000).toISOString() };
  reports.answer = { hasWindow: true, openings: [opening], reportAfterSeconds: 600 };

  await using svc = await service(at.config);
  await svc.said("this host belongs to no cluster yet");
  await svc.said("none: this host only reports to its cluster");
  const token = host.tokenFile(await makeToken(auth, { type: "node" }));
  const pin = auth.authorities.signing.pin;
  const line = ["join", "--auth-server", `127.0.0.1:${auth.port}`, "--token", token, "--ca-pin", pin, "-c", at.config];
  const joined = await typed(...line, "--json");
  expect(joined.error).toBe("");
  expect(JSON.parse(joined.out)).toMatchObject({ is_new: true, kind: "node" });
  reports.takeOver({ dataDirectory: join(at.directory, "data"), kind: "node" });
  svc.kill("SIGHUP");
  await svc.said("the schedule of the updater was written");
  expect(await reports.heard(1)).toMatchObject({ services: ["node"], updater: { kind: "unit" } });
  expect(readFileSync(join(root, "etc/svc-upgrade.d/schedule"), "utf8")).toContain(`\n${from / 1000} ${from / 1000 + 3600}\n`);

  const read = await program(["schedule", "--root", root], { env: { TZ: "UTC" } });
  expect(read.stdout).toContain(`closed until`);
  expect(read.stdout).toContain(new Date(from).toISOString().slice(11, 16));

  svc.kill("SIGTERM");
  expect(await svc.ended).toBe(0);
  expect(reports.reports.some(({ goodbye }) => goodbye === true)).toBe(false);
});
