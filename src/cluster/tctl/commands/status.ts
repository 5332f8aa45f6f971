import type { GetStatusResponseJson } from "../../api/generated/svc/v1/cluster_pb.ts";
import { quote } from "../../../rules/text/quote.ts";
import { fingerprintOfLine } from "../../identity/ssh.ts";
import type { TctlContext } from "../context.ts";
import { statusAnswer } from "../json/status.ts";
import { say } from "../screen/say.ts";
import { facts } from "../../../rules/text/table.ts";
import { tellTime } from "../../../machine/clocks/tell-time.ts";

export async function status(context: TctlContext): Promise<number> {
  const found = await context.call("ClusterService/GetStatus", {});
  return say(context, { shape: statusAnswer, value: found, text: () => screen(found) });
}

function screen({
  clusterName = "",
  version = "",
  caPins = [],
  instances = [],
  nextOpenings = [],
  waitingHosts = 0,
  sshUserAuthorities = [],
  sshHostAuthorities = [],
  storeFault = "",
}: GetStatusResponseJson): string {
  const kinds = instances.flatMap(({ kind = "", count = 0 }) => (count === 0 ? [] : [`${count} ${quote(plural(kind, count))}`]));
  const isAlone = instances.every(({ kind, count = 0 }) => kind === "auth" || count === 0);
  const nobody = kinds.length === 0 ? "nobody yet" : "nobody else yet";
  const [next] = nextOpenings;
  return facts([
    ["Cluster", quote(clusterName)],
    ["Version", quote(version)],
    ...(storeFault === "" ? [] : [["Store", `changes fail: ${quote(storeFault, 300)}`] as const]),
    ...(caPins.length === 0 ? [["CA pin", "none yet"] as const] : caPins.map((pin) => ["CA pin", quote(pin, 80)] as const)),
    ...sshUserAuthorities.map((line) => ["SSH CA", fingerprintOfLine(line) ?? quote(line, 80)] as const),
    ...sshHostAuthorities.map((line) => ["SSH CA", `${fingerprintOfLine(line) ?? quote(line, 80)} for hosts`] as const),
    ["Joined", isAlone ? [...kinds, `${nobody}: \`tctl tokens add --type=proxy\``].join(", ") : kinds.join(", ")],
    [
      "Window",
      next === undefined
        ? `no window is configured${waiting(waitingHosts)}: \`tctl create\` takes a cluster_maintenance_config`
        : `opens next ${tellTime(next)}`,
    ],
  ]);
}

function waiting(hosts: number): string {
  if (hosts === 0) return "";
  return hosts === 1 ? ", 1 host waits" : `, ${hosts} hosts wait`;
}

function plural(kind: string, count: number): string {
  return count === 1 ? kind : kind === "proxy" ? "proxies" : `${kind}s`;
}
