import { compareVersions, type Version } from "../../rules/version/version.ts";
import { moveOf, type Asking } from "./people-ask.ts";
import type { Ended, Standing } from "./move-memory.ts";
import { imageIn, isObserved } from "./seen.ts";
import { byWhom, whoSetImage } from "./who-set-image.ts";

/** A tool that resets the image more often than this wins: otherwise both would change it for ever. */
const mostTimes = 2;

export type ResetSight = Asking & {
  /** The version of the current image; undefined if its tag does not tell. */
  readonly current: Version | undefined;
};

/**
 * Notes that a tool changed the image while no move was under way, as by a helm rollback. An older image is recorded, and the object moves to the
 * version again when allowed. A version that was rejected here is rolled back at once. Both are counted.
 */
export function noteReset(standing: Standing, sight: ResetSight): Standing {
  const { last, move } = standing;
  const { now, object, own, container, current } = sight;
  const image = imageIn(object, container);
  if (move !== undefined || last === undefined || image === undefined || current === undefined) return standing;
  const who = whoSetImage(object, container);
  if (who.kind === "person") return standing;
  const resets = counted(standing, last.to);
  const cause = `${image} was set${byWhom(who)}`;
  if (isRejected(standing, current, image)) {
    const good = goodOf(last);
    if (good.image === image || hasWon(standing, last.to)) return standing;
    // The pods' revision is unknown until the controller has seen the image.
    if (!isObserved(object) || own.revision === "") return standing;
    if (hasWon({ resets }, last.to)) return { ...standing, resets };
    const way = { from: good.version, to: current, imageBefore: good.image, image, digest: undefined };
    const back = { ...moveOf(way, sight), step: "going-back", cause: `${cause}, which was rejected here` } as const;
    return { ...standing, resets, move: back };
  }
  const isReset = (last.outcome === "proven" || last.outcome === "overtaken") && image !== last.image;
  if (!isReset || compareVersions(current, last.to) >= 0) return standing;
  return { ...standing, resets, last: { ...last, outcome: "reset", at: now, why: cause } };
}

/** Whether the current version was rejected here, but a tool has set it so often that we leave it. */
export function isLeftRejected(standing: Standing, current: Version): boolean {
  return hasWon(standing, current) && standing.rejected.some(({ served }) => served === current);
}

/** Whether a tool has reset a version so often that we leave the image to it. */
export function hasWon({ resets }: Pick<Standing, "resets">, version: Version): boolean {
  return timesOf(resets, version) > mostTimes;
}

function timesOf(resets: Standing["resets"], version: Version): number {
  return resets.find(({ served }) => served === version)?.times ?? 0;
}

function counted({ resets }: Standing, version: Version): Standing["resets"] {
  return [...resets.filter(({ served }) => served !== version), { served: version, times: timesOf(resets, version) + 1 }];
}

/** Another digest is another image than the rejected one, whatever its tag. */
function isRejected({ rejected }: Standing, current: Version, image: string): boolean {
  const [, digest] = /@(.+)$/.exec(image) ?? [];
  return rejected.some(
    (row) => row.served === current && (row.digest === undefined || digest === undefined || row.digest === digest),
  );
}

/** The last version that ran well. */
function goodOf({ outcome, from, to, imageBefore, image }: Ended): { readonly version: Version; readonly image: string } {
  return outcome === "proven" ? { version: to, image } : { version: from, image: imageBefore };
}
