import { tellFault } from "../../rules/fault/tell-fault.ts";
import type { Log } from "../../machine/logging/log.ts";
import { readAuthServers, readPins } from "../presence/asked.ts";
import { joinCluster, type JoinPorts } from "../presence/join-cluster.ts";
import { readJoinToken } from "../presence/join-token.ts";
import type { JoinConfiguration } from "../services/join-section.ts";

export type JoinByItselfPorts = JoinPorts & {
  readonly log: Log;
  /** Called when the host has got an identity, or other addresses of auth. */
  readonly joined: () => void;
};

const firstWaitSeconds = 5;
const longestWaitSeconds = 600;
/** How often a lasting failure is logged again. */
const sayAgainSeconds = 86_400;

/** Joins the configured cluster. Logs a failure and tries again. A host that has joined sends no request. */
export async function joinByItself(join: JoinConfiguration, ports: JoinByItselfPorts): Promise<void> {
  const { log, clock, random, wait, stopping } = ports;
  let said: { readonly code: string; readonly at: number } | undefined;
  for (let failures = 0; !stopping.aborted; failures += 1) {
    try {
      const joined = await joinCluster(
        {
          authServers: readAuthServers(join.authServer),
          pins: readPins(join.caPin),
          token: () => readJoinToken(join.tokenFile),
          existing: "keep",
        },
        ports,
      );
      if (joined.kind === "joined" || joined.addresses === "changed") ports.joined();
      return;
    } catch (thrown) {
      if (stopping.aborted) return;
      const { code, message, hint } = tellFault(thrown, "svc");
      const { sinceBootSeconds } = clock();
      const isNews = said?.code !== code || sinceBootSeconds - said.at >= sayAgainSeconds;
      if (isNews) said = { code, at: sinceBootSeconds };
      const seconds = Math.min(longestWaitSeconds, firstWaitSeconds * 2 ** Math.min(failures, 10)) * (1 - random() / 2);
      const sentence = `this host could not join its cluster, and tries again: ${message}; ${hint}`;
      log(isNews ? "warning" : "debug", sentence, { fault: code, again_in_seconds: Math.ceil(seconds) });
      await wait(seconds, stopping);
    }
  }
}
