import type { Log } from "../../machine/logging/log.ts";
import type { AuthTimes, SecondFactor } from "../services/services.ts";
import type { NotedStore } from "../storage/noting-faults.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { Removals } from "../storage/removals.ts";
import type { Caller } from "./caller.ts";
import type { Authorities, ClusterFacts } from "./cluster.ts";
import type { HostNames } from "./host-names.ts";
import type { KnownInstances } from "./known-instances.ts";
import type { LastReports } from "./last-reports.ts";
import type { People } from "./people.ts";
import type { UnderWay } from "./rollout-under-way.ts";
import type { Ways } from "./provider-fetch.ts";

/** What every handler works with. */
export type AuthContext = {
  readonly store: NotedStore;
  readonly removals: Removals;
  readonly cluster: ClusterFacts;
  readonly authorities: Authorities;
  readonly version: string;
  readonly times: AuthTimes;
  /** The hosts in `public_addr`. Auth's certificate names them. */
  readonly publicHosts: readonly string[];
  readonly secondFactor: SecondFactor;
  readonly people: People;
  /** How identity providers are reached. */
  readonly ways: Ways;
  readonly instances: KnownInstances;
  readonly lastReports: LastReports;
  readonly hostNames: HostNames;
  /** Rollouts that are not over, by channel, as the last look found them. */
  readonly underWay: Map<string, UnderWay>;
  readonly now: () => UnixSeconds;
  readonly log: Log;
};

/** Throws a Fault to refuse a call; the router sends it to the caller. */
export type Handler<Request, Response> = (context: AuthContext, caller: Caller, request: Request) => Promise<Response>;
