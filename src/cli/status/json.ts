import type { Served } from "../../channel/answer.ts";
import { compare } from "../../pass/tell.ts";
import { printProxy } from "../../route/proxy.ts";
import type { Next } from "../../status/next.ts";
import type { Standing } from "../../status/standing.ts";
import type { StatusView } from "../../status/view.ts";
import { decisionJson, type AnswerJson } from "../answer.ts";
import { faultJson, type FaultJson } from "../fault-json.ts";
import type { RouteJson } from "../route.ts";
import { hostJson, type HostJson } from "./host-json.ts";
import { memoryJson, type MemoryJson } from "./memory-json.ts";
import { whenJson, type WhenJson } from "./when-json.ts";

/**
 * The answer of `status --json`. What a dry run says too has the same key. Lists are always there; all else is there where
 * there is something to say.
 */
export type StatusJson = Pick<AnswerJson, "schema" | "installed" | "served" | "available"> & {
  /** Null where the settings are wrong. */
  readonly channel: string | null;
  /** What is the answer: "next" where nothing comes before what a pass would decide. */
  readonly standing: Standing["kind"];
  /** The last pass's. */
  readonly decision?: AnswerJson["decision"];
  /** What a pass would decide now, by the last answer. */
  readonly next: NextJson;
  /** What ends every pass before it can decide. */
  readonly fault?: FaultJson["fault"];
  readonly endpoint?: string;
  readonly route?: Pick<RouteJson, "route" | "proxy" | "rule">;
  /** What could not be seen, a sentence each. */
  readonly unread: readonly string[];
} & WhenJson &
  MemoryJson &
  HostJson;

export type NextJson = {
  readonly kind: string;
  /** A reason, or the code of a fault. */
  readonly why: string;
  readonly told: string;
  readonly until?: string;
  readonly lift?: string | undefined;
  readonly target?: { readonly kind: string; readonly to: string };
};

export function statusJson(view: StatusView): StatusJson {
  const { seen, memory, next, standing } = view;
  const { settings, route, basis, installed } = seen;
  const version = installed?.kind === "present" ? installed.version : undefined;
  const served = servedOf(view);
  const last = memory.passes[0]?.decision;
  return {
    schema: 1,
    installed: version ?? null,
    served: served?.kind === "version" ? served.version : null,
    channel: settings?.settings.channel ?? null,
    available: served !== undefined && installed !== undefined && compare(version, served).isAvailable,
    standing: standing.kind,
    ...(last === undefined || last.kind === "stop" ? {} : { decision: decisionJson(last) }),
    next: nextJson(next),
    ...(basis.kind === "fault" ? { fault: faultJson(basis.fault).fault } : {}),
    ...(settings?.endpoint === undefined ? {} : { endpoint: settings.endpoint }),
    ...(route === undefined ? {} : { route: routeJson(route) }),
    ...whenJson(view),
    ...memoryJson(view),
    ...hostJson(view),
    unread: seen.unread,
  };
}

function nextJson(next: Next): NextJson {
  switch (next.kind) {
    case "stay":
    case "move":
      return decisionJson(next);
    case "stop": {
      const { code, message, hint } = next.fault;
      return { kind: "stop", why: code, told: message, lift: hint };
    }
    case "unknown": {
      const { kind, why, told, lift } = next;
      return { kind, why, told, lift };
    }
  }
}

function routeJson(route: NonNullable<StatusView["seen"]["route"]>): NonNullable<StatusJson["route"]> {
  const { kind, rule } = route;
  return { route: kind, ...(kind === "proxy" ? { proxy: printProxy(route.proxy) } : {}), rule };
}

function servedOf({ memory: { lastContact } }: StatusView): Served | undefined {
  if (lastContact === undefined) return undefined;
  return lastContact.served === "none" ? { kind: "none" } : { kind: "version", version: lastContact.served };
}
