import { match } from "node:assert/strict";
import { buildAgent } from "../../system/lab/agent.ts";
import type { Family } from "../../system/lab/base.ts";
import { holdPackage, tellHolds } from "../../system/moves.ts";
import { expectMoved, expectRefused, expectStay } from "../expect-pass.ts";
import { killAndLook } from "../kill.ts";
import { inEachFamily, onApt, onRpm, type Row } from "../scenario.ts";
import { serve, serveNext, withSettings } from "../staging.ts";

const release: Readonly<Record<Family, readonly string[]>> = {
  apt: ["apt-mark", "unhold", "svc-ent"],
  yum: ["yum", "-q", "versionlock", "clear"],
  zypper: ["zypper", "--non-interactive", "removelock", "svc-ent"],
};

export const held: Row = {
  scenarios: [
    ...inEachFamily(19, "the package is held: it stays; and goes where the settings override it", async (stage) => {
      const { host } = stage;
      const version = await serveNext(stage);
      await holdPackage(host, "svc-ent");
      await expectStay(stage, "package-held");
      await withSettings(stage, "holds: override\n", () => expectMoved(stage, version));
      await host.mustRun(release[host.family]);
    }),
    ...inEachFamily(19, "the power goes while an overridden hold is lifted: the hold is there again", async (stage, random) => {
      const { host } = stage;
      await holdPackage(host, "svc-ent");
      try {
        const kill = { when: "install", victim: "host", network: "down", version: "good", again: "nobody" } as const;
        const remark = await withSettings(stage, "holds: override\n", () => killAndLook(stage, kill, random));
        match(await tellHolds(host), /svc-ent/);
        return remark;
      } finally {
        await host.run(release[host.family]);
      }
    }),
    ...onApt(19, "the version is pinned away", async (stage) => {
      const { host } = stage;
      const version = await serveNext(stage);
      const pin = "/etc/apt/preferences.d/never";
      await host.write(pin, `Package: svc-ent\nPin: version ${version}\nPin-Priority: -1\n`);
      await expectRefused(stage, ["not-offered"]);
      await host.mustRun(["rm", pin]);
    }),
    ...(["missing", "unknown-key", "altered"] as const).flatMap((signature) =>
      inEachFamily(19, `the repository's lists are signed so: ${signature}`, async (stage) => {
        const { repository } = stage;
        await repository.sign(signature);
        await serveNext(stage);
        await expectRefused(stage, ["refresh-failed", "package-untrusted"]);
        await repository.sign("good");
      }),
    ),
    ...(["missing", "unknown-key"] as const).flatMap((signature) =>
      onRpm(19, `the package is signed so: ${signature}`, async (stage) => {
        const { host, repository } = stage;
        // zypper takes the word of a signed list for its packages, unless told otherwise.
        if (host.family === "zypper") await host.mustRun(["sh", "-c", `echo pkg_gpgcheck=1 >>${repository.sourcesFile}`]);
        const version = signature === "missing" ? "15.4.900" : "15.4.901";
        await repository.publishSigned(signature, await buildAgent(host, { version }));
        serve(stage, version);
        await expectRefused(stage, ["package-untrusted"]);
        await repository.withdraw("svc-ent", version);
      }),
    ),
  ],
  unstaged: [],
};
