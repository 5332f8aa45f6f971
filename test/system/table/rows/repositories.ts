import { expect } from "vitest";
import { buildAgent } from "../../lab/agent.ts";
import { packageVersion } from "../../lab/package.ts";
import { serveRepository } from "../../lab/repository.ts";
import type { Signature } from "../../lab/repository-format.ts";
import { expectRunning, lastPass } from "../../moves.ts";
import { runNow } from "../../updater.ts";
import type { Chapter, Row } from "../row.ts";
import { begin, openScene, type Scene } from "../scene.ts";

const unsigned = "a .deb has no signature of its own: apt goes by the signed lists";

function badlySigned(signature: Exclude<Signature, "good">): Row<Scene> {
  return {
    title: `installs nothing whose lists are signed so: ${signature}`,
    play: async ({ host, repository, manners }) => {
      await repository.sign(signature);
      const { step, code, status } = manners.untrustedLists;
      expect((await runNow(host)).status).toBe(status);
      expect((await lastPass(host)).outcome).toMatchObject({ step, fault: { code } });
      await expectRunning(host, "15.4.5");
      await repository.sign("good");
    },
  };
}

/** A version that is refused for its package, and leaves the agent as it is. */
async function expectRefused({ host, versions }: Scene, version: string, outcome: readonly [code: string, status: number]) {
  versions.serve("default", { version });
  expect((await runNow(host)).status).toBe(outcome[1]);
  expect((await lastPass(host)).outcome).toMatchObject({ step: "keep", fault: { code: outcome[0] } });
  await expectRunning(host, "15.4.5");
}

export const repositories: Chapter<Scene> = {
  title: "goes by its repositories",
  isBesideOthers: true,
  open: openScene,
  begin,
  rows: [
    {
      title: "says that the version is nowhere, with what there is",
      play: async ({ host, versions }) => {
        versions.serve("default", { version: "v15.9.9" });
        expect((await runNow(host)).status).toBe(75);
        const offered = ["15.4.6", "15.4.5"].map((version) => packageVersion(host, version)).join(", ");
        expect((await lastPass(host)).outcome).toMatchObject({
          step: "offer",
          fault: { code: "not-offered", message: expect.stringContaining(`they offer ${offered}`) as string },
        });
        await expectRunning(host, "15.4.5");
      },
    },
    {
      title: "says that the repository is down, and goes on when it is up",
      play: async ({ host, repository }) => {
        await repository.server.goDown();
        expect((await runNow(host)).status).toBe(75);
        expect((await lastPass(host)).outcome).toMatchObject({ step: "refresh", fault: { code: "refresh-failed" } });
        await expectRunning(host, "15.4.5");
        await repository.server.comeUp();
        expect((await runNow(host)).status).toBe(0);
        await expectRunning(host, "15.4.6");
      },
    },
    {
      title: "upgrades beside foreign ones that are dead, one of them from the start",
      play: async ({ host, manners }) => {
        const foreign = await serveRepository(host, "foreign");
        await host.run(manners.refreshByHand.argv);
        await foreign.server.goDown();
        await host.write(manners.deadSource.path, manners.deadSource.text);
        expect((await host.run(manners.refreshByHand.argv)).status).toBe(manners.refreshByHand.status);
        expect((await runNow(host)).status).toBe(0);
        await expectRunning(host, "15.4.6");
        await host.mustRun(["rm", foreign.sourcesFile, manners.deadSource.path]);
      },
    },
    badlySigned("missing"),
    badlySigned("unknown-key"),
    badlySigned("altered"),
    {
      title: "installs no package whose bytes are not those of the lists",
      play: async (scene) => {
        const { host, repository } = scene;
        await repository.publish(await buildAgent(host, { version: "15.6.0" }));
        await repository.alter("svc-ent", "15.6.0");
        await expectRefused(scene, "15.6.0", ["download-failed", 75]);
      },
    },
    {
      title: "installs no package that is unsigned, or signed by a key that nobody trusts, and imports no key",
      without: { apt: unsigned },
      play: async (scene) => {
        const { host, repository, manners } = scene;
        const keys = await host.mustRun(["rpm", "-qa", "gpg-pubkey"]);
        await manners.checkPackages(host, repository);
        await repository.publishSigned("missing", await buildAgent(host, { version: "15.6.1" }));
        await repository.publishSigned("unknown-key", await buildAgent(host, { version: "15.6.2" }));
        for (const version of ["15.6.1", "15.6.2"]) await expectRefused(scene, version, ["package-untrusted", 69]);
        expect(await host.mustRun(["rpm", "-qa", "gpg-pubkey"])).toBe(keys);
      },
    },
  ],
};
