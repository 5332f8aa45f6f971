import { Fault } from "../../rules/fault/fault.ts";
import { shellWord } from "../../rules/text/shell-word.ts";
import type { Trust } from "../../machine/network/trust.ts";
import { proxyVariablesIn, routeFor, type Route } from "../../rules/route/route.ts";
import type { HostPort } from "../../rules/route/host-port.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { overProxy, type OverProxy, type Proving } from "./over-proxy.ts";
import type { Profile } from "./profile.ts";
import { printProxyAddress } from "./proxy-address.ts";
import { trustFor, type Typed } from "./trust.ts";

export type Surroundings = {
  /** The proxy variables in it always count. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly now: () => UnixSeconds;
};

export type Meeting = {
  readonly proxy: HostPort;
  readonly caFile: string | undefined;
  readonly proving: Proving | undefined;
  readonly typed?: Typed;
  readonly clockAheadSeconds: number;
};

export function towards({ caFile, typed = "tsh login", ...meeting }: Meeting, { environment, now }: Surroundings): OverProxy {
  let trust: Trust | undefined;
  const routeOf = (url: URL): Route => routeFor(url, proxyVariablesIn(environment));
  return overProxy({ ...meeting, typed, now, routeOf, trust: () => (trust ??= trustFor(caFile, typed)) });
}

/** A transport that calls auth as the signed-in user. */
export function signedIn(profile: Profile, surroundings: Surroundings): OverProxy {
  const { proxy, caFile, cluster, privateKey, token, clockAheadSeconds } = profile;
  const proving = { cluster: cluster.id, privateKey, token };
  const transport = towards({ proxy, caFile, proving, clockAheadSeconds }, surroundings);
  return {
    ...transport,
    explain: (thrown) => {
      const told = transport.explain(thrown);
      if (!(told instanceof Fault) || told.code !== "session-ended") return told;
      const { code, message } = told;
      return new Fault(code, { message, hint: `sign in again: \`${loginLine(profile)}\``, cause: told });
    },
  };
}

export function loginLine({ proxy, caFile, user, connector }: Pick<Profile, "proxy" | "caFile" | "user" | "connector">): string {
  const trust = caFile === undefined ? "" : ` --ca-file=${shellWord(caFile)}`;
  return `tsh login --proxy=${printProxyAddress(proxy)} ${connector === undefined ? `--user=${user}` : `--auth=${connector}`}${trust}`;
}
