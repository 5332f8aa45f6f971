import { describe, expect, test } from "vitest";
import { needs } from "../../../../../src/updater/package/apt/apt-examiner.ts";

import { answering, type Answers } from "../answers.ts";
import { agent, change } from "../given.ts";

describe("what packages take", () => {
  const mebibyte = 1024 ** 2;
  const control = "Package: svc-ent\nSize: 1000\nInstalled-Size: 3\n\nPackage: libnew\nSize: 500\nInstalled-Size: 2\n";
  test.each<[title: string, rows: Answers, moves: boolean, download: number, unpacked: number, asked: RegExp]>([
    [
      "of all that is planned",
      [
        [/ -s /, "Inst libnew (1.0 x [all])\nInst svc-ent [15.4.5] (15.4.6 x [all])\n"],
        [/^apt-cache show/, control],
      ],
      true,
      1500,
      5 * 1024,
      /^apt-cache show .* libnew=1\.0 svc-ent=15\.4\.6$/,
    ],
    [
      "of the package alone where apt makes no plan",
      [[/^apt-cache show/, control]],
      true,
      1500,
      5 * 1024,
      /^apt-cache show .* svc-ent=15\.4\.6$/,
    ],
    [
      "of a version as large as the installed, without a change",
      [[/^dpkg-query .*Installed-Size/, "7\n"]],
      false,
      7 * 1024,
      7 * 1024,
      /^dpkg-query --admindir=\/scratch\/var\/lib\/dpkg .* svc-ent$/,
    ],
    ["of nothing where it does not say its size", [[/^dpkg-query/, "\n"]], false, 0, 0, /^dpkg-query/],
  ])("is told for each place, %s", async (_title, rows, moves, download, unpacked, asked) => {
    const calls = answering(rows);
    const places = { root: "/scratch", database: "/scratch/var/lib/dpkg" };
    const wanted = { ...places, name: agent, change: moves ? change("15.4.6") : undefined };
    expect(await needs(calls, wanted)).toEqual([
      { path: "/scratch/var/cache/apt/archives", bytes: download },
      { path: "/scratch/usr", bytes: unpacked },
      // dpkg writes its list again.
      { path: "/scratch/var/lib/dpkg", bytes: 32 * mebibyte },
    ]);
    expect(calls.asked.at(-1)).toMatch(asked);
  });
});
