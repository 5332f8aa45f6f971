import { roomAt, type Room } from "../../machine/files/free-space.ts";
import type { Need, PackageExaminer } from "../package/manager/examiner.ts";
import type { Change } from "../package/manager/manager.ts";
import type { PackageName } from "../../rules/settings/settings.ts";
import { failed, ok, type Finding } from "./check.ts";

export type DiskScene = {
  readonly name: PackageName;
  readonly change: Change | undefined;
  readonly examiner: Pick<PackageExaminer, "needs" | "remedies">;
  /** The directory where passes record what they did. */
  readonly stateDirectory: string;
};

/** The state of ten passes, twice for a moment, and the journal of one pass. */
const stateBytes: number = 1024 * 1024;

/** Checks that every file system that a move writes to has room for it. */
export async function examineDisk({ name, change, examiner, stateDirectory }: DiskScene): Promise<Finding> {
  const needs = await examiner.needs(name, change);
  const needed = [...needs, { path: stateDirectory, bytes: stateBytes }];
  return judgeRoom(sharedBy(needed), examiner.remedies.tidy);
}

/** What one file system needs. */
export type Demand = { readonly room: Room; readonly bytes: number };

function sharedBy(needs: readonly Need[]): readonly Demand[] {
  const demands = new Map<string, Demand>();
  for (const { path, bytes } of needs) {
    const room = roomAt(path);
    const before = demands.get(room.device);
    demands.set(room.device, { room: before?.room ?? room, bytes: (before?.bytes ?? 0) + bytes });
  }
  return [...demands.values()];
}

/** Enough for a package of some thousand files, and those of its caches. */
const fewestFiles = 5000;

export function judgeRoom(demands: readonly Demand[], tidy: string): Finding {
  const shortages = demands.map(shortageOf).filter((shortage) => shortage !== undefined);
  const [first] = shortages;
  if (first === undefined) return ok(demands.map(tellRoom).join("; "));
  const points = demands.map(({ room }) => room.point).join(" ");
  const fix = first.shows === "findmnt --target" ? `${first.shows} ${first.point}` : `${tidy}; ${first.shows} ${points}`;
  return failed(shortages.map(({ told }) => told).join("; "), fix);
}

/** `shows` is the command that shows the cause: full space, full inodes, or a mount that cannot be written. */
type Shortage = { readonly told: string; readonly point: string; readonly shows: "df -h" | "df -i" | "findmnt --target" };

function shortageOf(demand: Demand): Shortage | undefined {
  const { room, bytes } = demand;
  const { point } = room;
  if (room.isReadOnly) return { told: `${point} is mounted read-only`, point, shows: "findmnt --target" };
  if (room.freeBytes < bytes) return { told: tellRoom(demand), point, shows: "df -h" };
  if (!isShortOfFiles(room)) return undefined;
  return { told: `${point} has room for ${room.freeFiles} more files only`, point, shows: "df -i" };
}

function isShortOfFiles({ freeFiles }: Room): boolean {
  return freeFiles !== undefined && freeFiles < fewestFiles;
}

function tellRoom({ room, bytes }: Demand): string {
  return `${room.point} has ${spoken(room.freeBytes)} free, and a move needs about ${spoken(bytes)}`;
}

function spoken(bytes: number): string {
  return bytes < 10_000_000_000 ? `${Math.ceil(bytes / 1_000_000)} MB` : `${Math.floor(bytes / 1_000_000_000)} GB`;
}
