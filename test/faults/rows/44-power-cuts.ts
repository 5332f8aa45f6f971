import { ok } from "node:assert/strict";
import type { Family } from "../../system/lab/base.ts";
import { expectMoved } from "../expect-pass.ts";
import { killAndLook } from "../kill.ts";
import { inEachFamily, type Row, type Scenario } from "../scenario.ts";
import type { Stage } from "../stage.ts";
import { serve } from "../staging.ts";
import { refreshLists } from "../../system/lab/package-tools.ts";

/** What a file comes to whose content never reached the disk. */
const spoils: Readonly<Record<string, string>> = {
  empty: ': >"$file"',
  "cut off": 'truncate -s "$((size / 2))" "$file"',
  "full of zeros": 'head -c "$size" /dev/zero >"$file"',
  "full of garbage": 'head -c "$size" /dev/urandom >"$file"',
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

/** A power cut that loses what was not synced yet. The lab's page cache survives one, so what it leaves is written by hand. */
export const powerCuts: Row = {
  scenarios: [...spoiltCaches(), ...twoCuts()],
  unstaged: [
    { row: 44, name: "a disk that really loses what was not synced", why: "the page cache of the lab's hosts is this machine's" },
  ],
};

function spoiltCaches(): readonly Scenario[] {
  return Object.entries(spoils).flatMap(([name, line]) =>
    Object.entries(caches).flatMap(([family, paths]) =>
      paths.map((path): Scenario => ({
        row: 44,
        name: `${path} is ${name}`,
        family: family as Family,
        play: async (stage) => {
          // Fetched already, and nothing newer is to be had: what is spoilt would stay.
          const version = await stage.publish();
          await refreshLists(stage.host);
          await spoil(stage, path, line);
          serve(stage, version);
          await expectMoved(stage, version);
        },
      })),
    ),
  );
}

/** In the middle of the installation, and in the pass that mends it: nobody is needed. */
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
