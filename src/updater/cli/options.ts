/** Options that every command understands. */
export type SharedOptions = {
  readonly root: string;
  readonly endpoint: string | undefined;
  readonly channel: string | undefined;
  readonly json: boolean;
  readonly logFormat: "text" | "json" | undefined;
  readonly logLevel: string | undefined;
};

/** A time as a person says it: read where it is used. */
type Spoken = string | undefined;

export type DryRunOptions = SharedOptions & { readonly exitCode: boolean; readonly at: Spoken };
export type RunOptions = SharedOptions & { readonly now: boolean; readonly install: boolean };
export type RetryOptions = SharedOptions & { readonly version: string | undefined };
export type HoldOptions = SharedOptions & { readonly time: Spoken; readonly until: Spoken; readonly reason: string | undefined };
export type PinOptions = SharedOptions & { readonly version: string; readonly reason: string | undefined };
export type ScheduleOptions = SharedOptions & { readonly file: string | undefined; readonly at: Spoken };
export type RouteOptions = SharedOptions & { readonly url: string | undefined };
export type EnrollOptions = SharedOptions & {
  readonly package: string | undefined;
  readonly unit: string | undefined;
  readonly agentUser: string | undefined;
};

/** What each command does; the number is the exit status. */
export type Commands = {
  readonly status: (options: SharedOptions) => Promise<number>;
  readonly history: (options: SharedOptions) => Promise<number>;
  readonly doctor: (options: SharedOptions) => Promise<number>;
  readonly dryRun: (options: DryRunOptions) => Promise<number>;
  readonly run: (options: RunOptions) => Promise<number>;
  readonly hold: (options: HoldOptions) => Promise<number>;
  readonly unhold: (options: SharedOptions) => Promise<number>;
  readonly pin: (options: PinOptions) => Promise<number>;
  readonly unpin: (options: SharedOptions) => Promise<number>;
  readonly retry: (options: RetryOptions) => Promise<number>;
  readonly rollback: (options: SharedOptions) => Promise<number>;
  readonly schedule: (options: ScheduleOptions) => Promise<number>;
  readonly route: (options: RouteOptions) => Promise<number>;
  readonly config: (options: SharedOptions) => Promise<number>;
  readonly notify: (options: SharedOptions) => Promise<number>;
  readonly enroll: (options: EnrollOptions) => Promise<number>;
  readonly unenroll: (options: SharedOptions) => Promise<number>;
  readonly version: (options: SharedOptions) => Promise<number>;
  /** The deciding unit's own command. */
  readonly pass: (options: SharedOptions) => Promise<number>;
  /** The asking unit's own command. */
  readonly ask: (options: SharedOptions) => Promise<number>;
  /** The acting unit's own command. */
  readonly act: (options: SharedOptions) => Promise<number>;
};
