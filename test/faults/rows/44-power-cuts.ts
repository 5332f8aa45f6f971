import { withNoise } from "../noise.ts";
import { ok } from "node:assert/strict";
import type { Family } from "../../system/lab/base.ts";
import { expectCrashUndone, expectMoved, expectStay } from "../expect-pass.ts";
import { killAndLook } from "../kill.ts";
import { inEachFamily, type Row, type Scenario } from "../scenario.ts";
import type { Stage } from "../stage.ts";
import { serve, serveNext } from "../staging.ts";
import { refreshLists } from "../../system/lab/package-tools.ts";

/** What a file comes to whose content never reached the disk. */
const spoils: Readonly<Record<string, string>> = {
  empty: ': >"$file"',
  "cut off": 'truncate -s "$((size / 2))" "$file"',
  "full of zeros": 'head -c "$size" /dev/zero >"$file"',
  "full of garbage": 'noise | head -c "$size" >"$file"',
};

/** All that the package managers keep to be quicker the next time, the lists first. */
const caches: Readonly<Record<Family, readonly string[]>> = {
  apt: ["/var/lib/apt/lists/*_Packages", "/var/lib/apt/lists/*_InRelease", "/var/lib/apt/lists/*_*", "/var/cache/apt/*.bin"],
  yum: [
    "/var/cache/dnf/*.solv",
    "/var/cache/dnf/*.solvx",
    "/var/cache/dnf/*/repodata/*",
    "/var/cache/dnf/*/pubring/*",
    "/var/cache/dnf/*.solv* /var/cache/dnf/*/*/*",
  ],
  zypper: [
    "/var/cache/zypp/solv/@System/*",
    "/var/cache/zypp/solv/svc/*",
    "/var/cache/zypp/raw/svc/repodata/*",
    "/var/cache/zypp/solv/*/* /var/cache/zypp/raw/*/*/*",
  ],
};

/** What a power cut leaves of files that were not synced, each of its kinds written by hand; 44-lost-caches.ts has cuts that lose them. */
export const powerCuts: Row = {
  scenarios: [...spoiltCaches(), ...spoiltWhileRejected(), ...twoCuts()],
  unstaged: [],
};

function spoiltCaches(): readonly Scenario[] {
  return Object.entries(spoils).flatMap(([name, line]) =>
    Object.entries(caches).flatMap(([family, paths]) =>
      paths.map((path): Scenario => ({
        row: 44,
        name: `${path} is ${name}`,
        family: family as Family,
        play: async (stage, random) => {
          // Fetched already, and nothing newer is to be had: what is damaged would stay.
          const version = await stage.publish();
          await refreshLists(stage.host);
          await spoil(stage, path, withNoise(random, line));
          serve(stage, version);
          await expectMoved(stage, version);
        },
      })),
    ),
  );
}

/** A version that failed here is looked up in every pass: what cannot be read meanwhile is made again, and holds up nothing. */
function spoiltWhileRejected(): readonly Scenario[] {
  return Object.entries(spoils).flatMap(([name, line]) =>
    inEachFamily(44, `all caches are ${name}, and a version is served that was rejected`, async (stage, random) => {
      await serveNext(stage, { start: "crashes" });
      await expectCrashUndone(stage);
      await spoil(stage, caches[stage.host.family].join(" "), withNoise(random, line));
      await expectStay(stage, "rejected");
    }),
  );
}

/** In the middle of the installation, and in the pass that repairs it: nobody is needed. */
function twoCuts(): readonly Scenario[] {
  const cut = { when: "install", victim: "host", version: "good", again: "host" } as const;
  return (["up", "down"] as const).flatMap((network) =>
    inEachFamily(44, `two power cuts in one move, network ${network}`, (stage, random) =>
      killAndLook(stage, { ...cut, network }, random),
    ),
  );
}

async function spoil({ host }: Stage, paths: string, line: string): Promise<void> {
  const loop = `for file in ${paths}; do if [ -f "$file" ]; then size=$(stat -c %s "$file"); ${line}; echo "$file"; fi; done`;
  ok((await host.mustRun(["sh", "-c", loop])) !== "", `nothing was spoilt: ${paths}`);
}
