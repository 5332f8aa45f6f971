import { watch, type FSWatcher } from "node:fs";
import { errnoOf } from "../../machine/files/errno.ts";

export type Watching = { readonly close: () => void };

/** Looks again, because the updater may be installed later and its directory may be replaced. */
const lookAgainMs = 60_000;

/** Calls back when a file in the directory changes. If the directory cannot be watched, tries again. No failure ends this. */
export function watchDirectory(path: string, changed: () => void): Watching {
  let watcher: FSWatcher | undefined;
  const begin = (): void => {
    if (watcher !== undefined) return;
    try {
      const begun = watch(path, { persistent: false }, (_event, name) => {
        if (name === "state.json") changed();
      });
      watcher = begun;
      const end = (): void => {
        begun.close();
        if (watcher === begun) watcher = undefined;
      };
      begun.on("error", end);
    } catch (thrown) {
      // The directory is missing or hidden, or this host allows no more watches. Reports are then sent only by the clock.
      if (errnoOf(thrown) === undefined) throw thrown;
    }
  };
  begin();
  const again = setInterval(begin, lookAgainMs);
  again.unref();
  return {
    close: () => {
      clearInterval(again);
      watcher?.close();
    },
  };
}
