import { withNoise } from "../noise.ts";
import type { ServerResponse } from "node:http";
import { ok } from "node:assert/strict";
import type { FaultCode } from "../../../src/rules/fault/table.ts";
import type { Family } from "../../system/lab/base.ts";
import { emptyCaches, refreshLists } from "../../system/lab/package-tools.ts";
import { expectMoved, expectRefused } from "../expect-pass.ts";
import { withHostileRepository, type Mischief } from "../hostile-repository.ts";
import { inEachFamily, type Row } from "../scenario.ts";
import type { Stage } from "../stage.ts";
import { serve, serveNext } from "../staging.ts";

const isPackage = (path: string): boolean => /\.(?:deb|rpm)$/.test(path);

/** A good half of what was promised, and then the end. */
const truncated: Mischief = (path, file, response) => {
  if (!isPackage(path)) return undefined;
  response.writeHead(200, { "content-length": file.length });
  response.write(file.subarray(0, file.length >> 1), () => response.destroy());
  return "done";
};

const shorter: Mischief = (path, file, response) => {
  if (!isPackage(path)) return undefined;
  response.writeHead(200, { "content-length": file.length >> 1 }).end(file.subarray(0, file.length >> 1));
  return "done";
};

const altered: Mischief = (path, file, response) => {
  if (!isPackage(path)) return undefined;
  const other = Buffer.from(file);
  other.fill(0, other.length - 64);
  response.writeHead(200, { "content-length": other.length }).end(other);
  return "done";
};

/** Never ends, and claims no length. */
function sendForEver(file: Buffer, response: ServerResponse): "done" {
  response.writeHead(200);
  // To a question for the head alone, every write is dropped at once.
  if (response.req.method === "HEAD") {
    response.end();
    return "done";
  }
  const more = (): void => {
    while (!response.destroyed && response.write(file));
    if (!response.destroyed) response.once("drain", more);
  };
  more();
  return "done";
}

const endless: Mischief = (path, file, response) => (isPackage(path) ? sendForEver(file, response) : undefined);
/** By it the sizes of all else are known, and its own by nothing. */
const endlessIndex: Mischief = (path, file, response) =>
  /\/(?:InRelease|Release|repomd\.xml)$/.test(path) ? sendForEver(file, response) : undefined;

const endlessList: Mischief = (path, file, response) =>
  /\/Packages|primary\.xml/.test(path) ? sendForEver(file, response) : undefined;

const silent: Mischief = (path, file, response) => {
  if (!isPackage(path)) return undefined;
  response.writeHead(200, { "content-length": file.length });
  response.write(file.subarray(0, 1000));
  return "done";
};

/** Slow, but not silent: it comes. */
const slow: Mischief = (path, file, response) => {
  if (!isPackage(path)) return undefined;
  response.writeHead(200, { "content-length": file.length });
  const pieces = 20;
  const size = Math.ceil(file.length / pieces);
  let sent = 0;
  const timer = setInterval(() => {
    response.write(file.subarray(sent, sent + size));
    sent += size;
    if (sent < file.length && !response.destroyed) return;
    clearInterval(timer);
    response.end();
  }, 300);
  return "done";
};

const codes: readonly FaultCode[] = ["download-failed", "package-untrusted"];

const refused: Readonly<Record<string, Mischief>> = {
  "ends in the middle": truncated,
  "is half as long as the list says": shorter,
  "has other bytes than the list says": altered,
  "never ends": endless,
  "stops in the middle and says no more": silent,
};

/** What came without end was cut off somewhere, and taken away: or the disk would be full after some passes. */
async function expectSmallCaches({ host }: Stage): Promise<void> {
  const told = await host.mustRun(["du", "--summarize", "--block-size=1M", "/var/cache"]);
  const megabytes = Number.parseInt(told, 10);
  ok(megabytes < 500, `${megabytes} MB lie in /var/cache`);
}

/** On a disk that is never full, nothing else could fail either. */
async function expectRoom({ host }: Stage): Promise<void> {
  const told = await host.mustRun(["df", "--output=avail", "--block-size=1M", "/var/lib"]);
  const megabytes = Number.parseInt(told.split("\n")[1] ?? "", 10);
  ok(megabytes > 50, `${megabytes} MB are left`);
}

/** As an admin fetches a package and installs nothing. */
const fetching: Readonly<Record<Family, (version: string) => readonly string[]>> = {
  apt: (version) => ["apt-get", "install", "-y", "--download-only", `svc-ent=${version}`],
  yum: (version) => ["yum", "-y", "install", "--downloadonly", `svc-ent-${version}-1`],
  zypper: (version) => ["zypper", "--non-interactive", "download", `svc-ent=${version}-1`],
};

const overwritePackages = `for file in $(find /var/cache -name 'svc-ent*.deb' -o -name 'svc-ent*.rpm'); do
  noise | head -c "$(stat -c %s "$file")" >"$file"
done`;

export const downloads: Row = {
  scenarios: [
    ...Object.entries(refused).flatMap(([name, mischief]) =>
      inEachFamily(21, `the package's download ${name}`, async (stage) => {
        await emptyCaches(stage.host);
        await serveNext(stage);
        await withHostileRepository(stage, mischief, () => expectRefused(stage, codes));
        await expectSmallCaches(stage);
        await stage.host.mustRun(["svc-upgrade", "retry"]);
      }),
    ),
    ...inEachFamily(21, "the repository's index never ends", async (stage) => {
      await emptyCaches(stage.host);
      await serveNext(stage);
      await withHostileRepository(stage, endlessIndex, () => expectRefused(stage, ["refresh-failed"]));
      await expectSmallCaches(stage);
      await expectRoom(stage);
      await stage.host.mustRun(["svc-upgrade", "retry"]);
    }),
    // Smaller than what a manager is let take for one file.
    ...inEachFamily(21, "the repository's index never ends, and the disk is small", async (stage) => {
      await emptyCaches(stage.host);
      await serveNext(stage);
      await withHostileRepository(stage, endlessIndex, () => expectRefused(stage, ["refresh-failed", "no-space"]));
      await expectRoom(stage);
      await stage.host.mustRun(["svc-upgrade", "retry"]);
    }).map((scenario) => ({ ...scenario, diskMegabytes: 420 })),
    ...inEachFamily(21, "the repository's list of packages never ends", async (stage) => {
      await serveNext(stage);
      await withHostileRepository(stage, endlessList, () => expectRefused(stage, ["refresh-failed"]));
      await expectSmallCaches(stage);
      await stage.host.mustRun(["svc-upgrade", "retry"]);
    }),
    ...inEachFamily(
      21,
      "what lies in the cache has the right size and other bytes: it is fetched anew",
      async (stage, random) => {
        const { host } = stage;
        await emptyCaches(stage.host);
        const version = await stage.publish();
        await refreshLists(host);
        await host.mustRun(fetching[host.family](version));
        await host.mustRun(["sh", "-c", withNoise(random, overwritePackages)]);
        serve(stage, version);
        await expectMoved(stage, version);
      },
    ),
    ...inEachFamily(21, "the package's download is slow, but comes", async (stage) => {
      const version = await serveNext(stage);
      await withHostileRepository(stage, slow, () => expectMoved(stage, version));
    }),
  ],
  unstaged: [
    {
      row: 21,
      name: "a download that drips for ever",
      why: "as long as bytes come, the package managers' own limits of speed and the transaction's of 30 minutes are all there is",
    },
    {
      row: 21,
      name: "an expired signing key",
      why: "the lab's keys never expire; an unknown key and an altered list are in row 19",
    },
  ],
};
