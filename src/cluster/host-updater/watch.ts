import { watch, type FSWatcher } from "node:fs";
import { errnoOf } from "../../machine/files/errno.ts";

export type Watching = { readonly close: () => void };

/** The updater may be installed later, and its directory may be made anew. */
const lookAgainMs = 60_000;

/** Says that something in a directory has another content. What cannot be watched is looked for again; nothing here ends anything. */
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
      // Not there, not to be seen, or no more watches on this host: reports come by the clock then.
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
