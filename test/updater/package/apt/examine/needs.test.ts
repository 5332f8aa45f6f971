import { describe, expect, test } from "vitest";
import { needs } from "../../../../../src/updater/package/apt/examine/needs.ts";

import { answering, type Answers } from "../answers.ts";
import { agent, change } from "../given.ts";

describe("what packages take", () => {
  const mebibyte = 1024 ** 2;
  const control = "Package: svc-ent\nSize: 1000\nInstalled-Size: 3\n\nPackage: libnew\nSize: 500\nInstalled-Size: 2\n";
  test.each<{ title: string; rows: Answers; moves: boolean; download: number; unpacked: number; asked: RegExp }>([
    {
      title: "of all that is planned",
      rows: [
        [/ -s /, "Inst libnew (1.0 x [all])\nInst svc-ent [15.4.5] (15.4.6 x [all])\n"],
        [/^apt-cache show/, control],
      ],
      moves: true,
      download: 1500,
      unpacked: 5 * 1024,
      asked: /^apt-cache show .* libnew=1\.0 svc-ent=15\.4\.6$/,
    },
    {
      title: "of the package alone where apt makes no plan",
      rows: [[/^apt-cache show/, control]],
      moves: true,
      download: 1500,
      unpacked: 5 * 1024,
      asked: /^apt-cache show .* svc-ent=15\.4\.6$/,
    },
    {
      title: "of a version as large as the installed, without a change",
      rows: [[/^dpkg-query .*Installed-Size/, "7\n"]],
      moves: false,
      download: 7 * 1024,
      unpacked: 7 * 1024,
      asked: /^dpkg-query --admindir=\/scratch\/var\/lib\/dpkg .* svc-ent$/,
    },
    {
      title: "of nothing where it does not say its size",
      rows: [[/^dpkg-query/, "\n"]],
      moves: false,
      download: 0,
      unpacked: 0,
      asked: /^dpkg-query/,
    },
  ])("is told for each place, $title", async ({ rows, moves, download, unpacked, asked }) => {
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
