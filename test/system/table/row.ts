import type { Family } from "../lab/base.ts";
import type { Host, HostOptions } from "../lab/host.ts";

/** One scenario, told so that it holds on every host. */
export type Row<Scene> = {
  readonly title: string;
  readonly play: (scene: Scene) => Promise<void>;
  /** Why there is nothing to see on the hosts of a family, in one line. */
  readonly without?: Readonly<Partial<Record<Family, string>>>;
};

/** Rows that leave a host as they found it, or as `begin` puts it right: on each host of the table they share one machine. */
export type Chapter<Scene> = {
  readonly title: string;
  readonly options?: Pick<HostOptions, "diskMegabytes">;
  /** Played while its neighbours that say so too are played on machines of their own: one of them mostly waits for a lock. */
  readonly isBesideOthers?: boolean;
  readonly open: (host: Host) => Promise<Scene>;
  /** Before each row. */
  readonly begin: (scene: Scene) => Promise<void>;
  readonly rows: readonly Row<Scene>[];
};
