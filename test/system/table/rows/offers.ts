import { expect } from "vitest";
import { buildAgent } from "../../lab/agent.ts";
import { packageVersion as wrapped } from "../../lab/package.ts";
import { expectRunning } from "../../moves.ts";
import { configure, runNow } from "../../updater.ts";
import type { Chapter } from "../row.ts";
import { begin, openScene, putBackAgent, type Scene } from "../scene.ts";

type Wrapped = { readonly version: string; readonly packageVersion: string };

async function offer({ host, repository }: Scene, ...offers: readonly Wrapped[]): Promise<void> {
  const files: string[] = [];
  for (const each of offers) files.push(await buildAgent(host, each));
  await repository.publish(...files);
}

/** Serves the version, and has the host brought there whatever the direction: exactly that package is installed and runs. */
async function goesTo({ host, versions }: Scene, { version, packageVersion }: Wrapped): Promise<void> {
  await configure(host, "downgrade: allow\n", "60-downgrade");
  versions.serve("default", { version: `v${version}` });
  expect((await runNow(host)).status).toBe(0);
  await expectRunning(host, version, packageVersion);
}

export const offers: Chapter<Scene> = {
  title: "takes the package that wraps the version",
  isBesideOthers: true,
  open: openScene,
  begin,
  rows: [
    {
      title:
        "of several the one that the manager would take: the later, or what its admin prefers, though a higher version is there",
      play: async (scene) => {
        const { host, manners } = scene;
        const version = "15.5.1";
        const { release, later } = manners.wraps(version);
        const preferred = `${version}-3`;
        await offer(scene, { version, packageVersion: release }, { version, packageVersion: later });
        await offer(scene, { version: "15.9.0", packageVersion: "15.9.0-1" });
        await goesTo(scene, { version, packageVersion: later });
        await putBackAgent(host, manners);
        await manners.prefer(scene, {
          file: await buildAgent(host, { version, packageVersion: preferred }),
          packageVersion: preferred,
        });
        await goesTo(scene, { version, packageVersion: preferred });
        await manners.unprefer(host);
      },
    },
    {
      title: "of a prerelease, and from there that of its release, and back",
      play: async (scene) => {
        const candidate = { version: "15.5.2-rc.1", packageVersion: "15.5.2~rc.1-1" };
        const release = { version: "15.5.2", packageVersion: "15.5.2-1" };
        await offer(scene, candidate, release);
        for (const next of [candidate, release, candidate]) await goesTo(scene, next);
      },
    },
    {
      title: "with an epoch, over its border and back",
      play: async (scene) => {
        const { host, manners } = scene;
        await offer(scene, { version: "15.5.3", packageVersion: manners.wraps("15.5.3").epoch });
        await goesTo(scene, { version: "15.5.3", packageVersion: manners.wraps("15.5.3").epoch });
        await goesTo(scene, { version: "15.4.5", packageVersion: wrapped(host, "15.4.5") });
      },
    },
    {
      title: "with a suffix behind its release",
      play: async (scene) => {
        const { suffix } = scene.manners.wraps("15.5.4");
        await offer(scene, { version: "15.5.4", packageVersion: suffix });
        await goesTo(scene, { version: "15.5.4", packageVersion: suffix });
      },
    },
  ],
};
