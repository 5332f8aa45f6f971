import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { atOnce } from "../cluster/storage/filled.ts";
import { migrations } from "../../src/cluster/storage/migrations.ts";

const child = join(import.meta.dirname, "../cluster/storage/child.ts");
const loseCaches = join(import.meta.dirname, "lab/lose-caches.pl");

/** More of them: CLUSTER_POWER_CUTS=100 npm run test:system -- test/system/cluster-store.test.ts */
const rounds = Number(process.env["CLUSTER_POWER_CUTS"] ?? 5);

/**
 * In a mount namespace of its own: the file system in an image, and on it a child that works, until the file system loses what was
 * not synced and the child is killed. Then it is mounted again and looked at. What the child said went elsewhere.
 */
const script = `
set -e
image=$1 point=$2 said=$3 seconds=$4 node=$5 child=$6 what=$7 lose=$8
mount -o loop "$image" "$point"
device=$(findmnt --noheadings --output SOURCE "$point")
mkdir -p -m 700 "$point/auth"
sync -f "$point"
: >"$said"
"$node" "$child" "$what" "$point/auth/store.db" >"$said" 2>/dev/null & working=$!
while [ "$what" = migrate ] && ! grep -q open "$said"; do sleep 0.01; done
sleep "$seconds"
cat "$said" >"$said.before"
perl "$lose" "$point" "$device"
kill -9 $working 2>/dev/null || true
wait $working 2>/dev/null || true
umount "$point"
mount -o loop "$image" "$point"
"$node" "$child" look "$point/auth/store.db"
umount "$point"
`;

type Left = { readonly schema: number; readonly revision: number; readonly roles: number; readonly event: number };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "cluster-power-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(argv: readonly [string, ...string[]]): string {
  const [program, ...args] = argv;
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program}: ${stderr}`);
  return stdout;
}

function makeImage(fileSystem: "ext4" | "xfs"): string {
  const image = join(folder, `${fileSystem}.img`);
  rmSync(image, { force: true });
  run(["truncate", "--size=320M", image]);
  run([`mkfs.${fileSystem}`, "-q", image]);
  return image;
}

function cut(
  image: string,
  { what, seconds }: { readonly what: string; readonly seconds: number },
): { readonly left: Left; readonly said: string; readonly saidBefore: string } {
  const point = mkdtempSync(join(folder, "mount-"));
  const said = join(folder, "said");
  const args = [image, point, said, seconds.toFixed(3), process.execPath, child, what, loseCaches] as const;
  const left = JSON.parse(run(["unshare", "--mount", "sh", "-c", script, "sh", ...args])) as Left;
  return { left, said: readFileSync(said, "utf8"), saidBefore: readFileSync(`${said}.before`, "utf8") };
}

function lastIn(said: string): number {
  return Math.max(0, ...said.split("\n").map(Number).filter(Number.isInteger));
}

describe.each(["ext4", "xfs"] as const)("a power cut that loses the caches of %s", (fileSystem) => {
  test("takes no commit that was answered", { timeout: 60_000 + rounds * 10_000 }, () => {
    const image = makeImage(fileSystem);
    let before = 0;
    for (let round = 0; round < rounds; round += 1) {
      // The first ones come while the store is made.
      const seconds = 0.15 + Math.random() * 0.6;
      const { left, said, saidBefore } = cut(image, { what: "commit", seconds });
      // A power cut ends the process as well. Here it lives for a moment more, and the kernel may tell it that what is gone was written.
      const answered = Math.max(before, lastIn(saidBefore));
      const most = Math.max(before, lastIn(said)) + atOnce;
      expect(
        [left.roles >= answered, left.roles <= most],
        `${left.roles} are there, ${answered} were answered before the cut, after ${seconds} s`,
      ).toEqual([true, true]);
      expect(left).toMatchObject({ revision: left.roles, event: left.roles });
      before = left.roles;
    }
    expect(before).toBeGreaterThan(0);
  });

  test("leaves a store before its migration or after it", { timeout: 60_000 + rounds * 10_000 }, () => {
    const image = makeImage(fileSystem);
    const { roles } = cut(image, { what: "commit", seconds: 1 }).left;
    expect(roles).toBeGreaterThan(0);
    let schema = migrations.length;
    for (let round = 0; round < rounds; round += 1) {
      const { left } = cut(image, { what: "migrate", seconds: Math.random() * 0.4 });
      expect(left).toMatchObject({ roles, event: roles });
      expect([schema, migrations.length + 1]).toContain(left.schema);
      ({ schema } = left);
    }
  });
});
