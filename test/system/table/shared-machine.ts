import type { Suite } from "../lab/base.ts";
import type { Host, HostOptions } from "../lab/host.ts";
import { bootPrepared } from "../lab/prepared.ts";
import { withJournal } from "../lab/scenario.ts";
import { withUpdater } from "../updater.ts";
import type { Chapter, Row } from "./row.ts";

type Machine<Scene> = { readonly play: (row: Pick<Row<Scene>, "play">) => Promise<void>; readonly stop: () => Promise<void> };

/** One host for the rows of a chapter, booted for the first of them, and again after one that failed. */
export function sharedMachine<Scene>(
  suite: Suite,
  { options, open, begin }: Omit<Chapter<Scene>, "title" | "rows">,
): Machine<Scene> {
  let host: Host | undefined;
  let scene: Scene | undefined;

  async function stop(): Promise<void> {
    const stopping = host;
    [host, scene] = [undefined, undefined];
    await stopping?.stop();
  }

  async function play(row: Pick<Row<Scene>, "play">): Promise<void> {
    try {
      host ??= await bootPrepared(withUpdater<HostOptions>({ ...options, suite }));
      scene ??= await open(host);
      await begin(scene);
      await row.play(scene);
    } catch (failure) {
      const told = host === undefined ? failure : await withJournal(host, failure);
      // What a failed row left behind must not fail the next one.
      await stop();
      throw told;
    }
  }

  return { play, stop };
}
