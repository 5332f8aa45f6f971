import type { OpenShellResponseJson } from "../api/generated/svc/v1/shell_pb.ts";
import type { AcceptedTunnels } from "../tunnel/accept.ts";
import { splice } from "../tunnel/splice.ts";
import type { HeldShells } from "./held-shells.ts";
import { printInstant } from "../../rules/window/instant.ts";
import { quote } from "../../rules/text/quote.ts";
import type { Relay, RelayedCall } from "../../proxy/server/relay.ts";
import { shellsFor, type OpenedShell, type Upgrades } from "../../proxy/server/shells.ts";

/**
 * How far clocks may differ. A certificate is valid from a minute before auth makes it until five minutes after, of which some seconds have passed.
 */
const most = { behindSeconds: 60, aheadSeconds: 290 };

type Ports = {
  readonly relay: Pick<Relay, "post">;
  readonly tunnels: Pick<AcceptedTunnels, "open">;
  readonly held: Omit<HeldShells, "stop">;
};

/** Opens a stream to a host for a person, after auth has accepted the person's own proof. */
export function shellsOfProxy(ports: Ports): Upgrades {
  return shellsFor({ open: (call) => open(call, ports) }, (person, host) => {
    ports.held.spliced(host, person);
    splice(person, host);
  });
}

async function open(call: RelayedCall, { relay, tunnels, held }: Ports): Promise<OpenedShell> {
  const { status, date, body } = await relay.post(call);
  if (status !== 200) return { kind: "refused", status, date, body };
  const { serverId = "", hostname = "", shell = "" } = JSON.parse(Buffer.from(body).toString()) as OpenShellResponseJson;
  const opened = await tunnels.open(serverId);
  switch (opened.kind) {
    case "open": {
      const apart = clocksApart(hostname, { host: opened.date, auth: date });
      if (apart === undefined) {
        held.begin(shell, opened.stream);
        return opened;
      }
      opened.stream.destroy();
      held.failed(shell, "the host's clock is wrong");
      return refused(apart, date);
    }
    case "no-tunnel":
      held.failed(shell, "the host has no tunnel");
      return refused(
        `${quote(hostname)} has no tunnel to this proxy; there \`systemctl status svc\` says why, and /etc/svc.yaml needs ssh_service: {enabled: yes}`,
        date,
      );
    case "no-sshd":
      held.failed(shell, "the host's sshd does not answer");
      return refused(
        `the sshd of ${quote(hostname)} does not answer (${quote(opened.why)}); there \`systemctl status ssh\` says why`,
        date,
      );
  }
}

type Dates = Readonly<Record<"host" | "auth", string | undefined>>;

/** Explains that the host's clock is wrong. sshd would refuse every certificate, and say only "Permission denied". */
function clocksApart(hostname: string, { host = "", auth = "" }: Dates): string | undefined {
  const [hosts, auths] = [Date.parse(host) / 1000, Date.parse(auth) / 1000];
  const ahead = hosts - auths;
  // A missing date makes both comparisons false.
  const isApart = ahead < -most.behindSeconds || ahead > most.aheadSeconds;
  if (!isApart) return undefined;
  return `by the clock of ${quote(hostname)} it is ${printInstant(hosts)}, by auth's ${printInstant(auths)}, so that sshd takes no certificate; there \`timedatectl\` says whether its clock is synchronised`;
}

function refused(message: string, date: string | undefined): OpenedShell {
  const body = Buffer.from(JSON.stringify({ code: "failed_precondition", message }));
  return { kind: "refused", status: 400, date, body };
}
