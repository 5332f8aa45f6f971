import { deepEqual, equal, ok } from "node:assert/strict";
import { exitStatus } from "../../../src/rules/fault/explain.ts";
import type { FaultCode } from "../../../src/rules/fault/table.ts";
import { packageVersion } from "../../system/lab/package.ts";
import { expectEnded, expectMoved, expectMovedNow } from "../expect-pass.ts";
import { tell } from "../honest.ts";
import { tick } from "../pass.ts";
import { lastPass, lastPassId, recordOf } from "../record.ts";
import { inEachFamily, onApt, type Row } from "../scenario.ts";
import { serveNext } from "../staging.ts";
import { versionsIn } from "../whole.ts";

/** What would load code, change trust, or change words. */
const poison: Readonly<Record<string, string>> = {
  LD_PRELOAD: "/nowhere/evil.so",
  NODE_OPTIONS: "--require=/nowhere/evil.js",
  NODE_TLS_REJECT_UNAUTHORIZED: "0",
  SSL_CERT_FILE: "/nowhere/roots.pem",
  PATH: "/nowhere",
  LANG: "de_DE.UTF-8",
  LC_ALL: "de_DE.UTF-8",
  LANGUAGE: "de",
  DEBIAN_FRONTEND: "dialog",
  TMPDIR: "/nowhere",
  NOTIFY_SOCKET: "/run/nobody",
  APT_CONFIG: "/nowhere/apt.conf",
};

/** Rows 32 and 33: what stands around the pass. */
export const surroundings: Row = {
  scenarios: [
    ...onApt(32, "a run by hand in a shell with few open files", async (stage) => {
      const { host } = stage;
      const version = await serveNext(stage);
      const before = lastPassId(host);
      const { status } = await host.run(["/usr/bin/svc-upgrade", "run", "--now"], { properties: ["LimitNOFILE=64"] });
      await expectEnded(stage, { status, before }, { status: 0, outcome: { kind: "moved" }, version });
    }),
    ...inEachFamily(32, "the service manager's own environment is poisoned", async (stage) => {
      const { host } = stage;
      const { PATH: _, ...rest } = poison;
      const pairs = Object.entries(rest).map(([name, value]) => `${name}=${value}`);
      const version = await serveNext(stage);
      await host.enter(["systemctl", "set-environment", ...pairs]);
      await expectMoved(stage, version);
      await host.enter(["systemctl", "unset-environment", ...Object.keys(rest)]);
    }),
    ...inEachFamily(
      33,
      "/usr is read-only: the version is not blamed, and a later pass mends what was left half-way",
      async (stage) => {
        const { host } = stage;
        const version = await serveNext(stage);
        await host.enter(["sh", "-c", "mount --bind /usr /usr && mount -o remount,bind,ro /usr"]);
        const status = await tick(host);
        const { outcome } = lastPass(host);
        const { rejected, needsOperator } = recordOf(host);
        await host.enter(["umount", "--lazy", "/usr"]);
        ok(outcome.kind === "failed", `it is ${tell(outcome)}`);
        deepEqual(rejected, []);
        // rpm counts no room at all on a file system that takes no writes, and looks there before it begins.
        const codes: readonly FaultCode[] = host.family === "apt" ? ["read-only"] : ["read-only", "no-space"];
        ok(codes.includes(outcome.fault.code), `it is ${tell(outcome)}`);
        equal(status, outcome.back === undefined ? exitStatus(outcome.fault.code) : 11);
        equal(needsOperator, undefined);
        // What is half-way is repaired before anything is upgraded.
        const isHalfWay = (await versionsIn(host)).join(", ") !== `${packageVersion(host, stage.current())} installed`;
        if (isHalfWay) await expectMovedNow(stage, stage.current());
        await expectMovedNow(stage, version);
        return `the pass ended with ${status}`;
      },
    ),
  ],
  unstaged: [
    { row: 33, name: "SELinux or fapolicyd enforcing", why: "the lab's hosts are Debian's: neither policy is there to enforce" },
    {
      row: 33,
      name: "a host of ostree",
      why: "none is in the lab; zypper's own refusal of a transactional host is in a table test",
    },
    { row: 33, name: "a container", why: "all hosts of the lab are containers that systemd boots in" },
  ],
};
