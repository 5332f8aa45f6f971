import { copyFile, mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { excerpt } from "../documents.ts";
import { buildAgent } from "./lab/agent.ts";
import { rpmSuites } from "./lab/base.ts";
import { makeKeyring } from "./lab/keyring.ts";
import { mustRun } from "./lab/program.ts";
import { filesBelow } from "./lab/repository.ts";
import { scenario } from "./lab/scenario.ts";
import { listen } from "./lab/server.ts";
import { updaterPackage } from "./updater.ts";

const installScript = join(import.meta.dirname, "../../packaging/install.sh");

describe.each(["bookworm", ...rpmSuites] as const)("what docs/publishing.md types", (suite) => {
  test(
    `makes a repository that ${suite} installs from, and leaves the digest of what is in an rpm`,
    scenario({ suite }, async ({ host, repository }) => {
      const folder = join(host.directory, "publishing");
      await mkdir(join(folder, "dist"), { recursive: true });
      const built = [await updaterPackage("deb"), await updaterPackage("rpm"), await buildAgent(host, { version: "15.4.6" })];
      for (const file of built) await copyFile(file, join(folder, "dist", basename(file)));
      const keyring = await makeKeyring(join(folder, "keys"));
      host.atStop(keyring.close);
      const env = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", GNUPGHOME: keyring.directory, KEY: "trusted@outer.test" };
      await mustRun(["sh", "-euc", excerpt("publishing")], { cwd: folder, env });

      const server = await listen({ address: host.network.outerAddress }, filesBelow(folder));
      host.atStop(server.goDown);
      await host.mustRun(["rm", repository.sourcesFile]);
      await host.copyIn(join(folder, "key.asc"), "/root/key.asc");
      await host.copyIn(installScript, "/root/install.sh");
      const url = `http://outer.test:${server.port}/${host.family === "apt" ? "apt" : "rpm"}`;
      const words = ["15.4.6", "enterprise", "--repository", url, "--key", "/root/key.asc"];
      expect(await host.run(["sh", "/root/install.sh", ...words], { timeoutMs: 300_000 })).toMatchObject({ status: 0 });
      expect(await host.mustRun(["svc-upgrade", "version"])).toMatch(/^svc-upgrade \d/);

      const rpm = basename(await updaterPackage("rpm"));
      const [inDist, published] = [join("dist", rpm), join("rpm", rpm)];
      const told = async (format: string): Promise<readonly string[]> => {
        const asked = await mustRun(["rpm", "-qp", "--nosignature", "--qf", `${format}\n`, inDist, published], { cwd: folder });
        return asked.trim().split("\n");
      };
      const [unsigned, signed] = await told("%{RSAHEADER:pgpsig}%{DSAHEADER:pgpsig}");
      expect([unsigned, signed]).toEqual(["(none)(none)", expect.stringContaining("Key ID")]);
      const [before, after] = await told("%{SHA256HEADER}");
      expect([before, after]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), before]);
    }),
  );
});
