import type { OpenShellResponseJson } from "../api/generated/svc/v1/shell_pb.ts";
import type { AcceptedTunnels } from "../tunnel/accept.ts";
import { splice } from "../tunnel/splice.ts";
import type { HeldShells } from "./held-shells.ts";
import { quote } from "../../rules/text/quote.ts";
import type { Relay, RelayedCall } from "../../proxy/server/relay.ts";
import { shellsFor, type OpenedShell, type Upgrades } from "../../proxy/server/shells.ts";

type Ports = {
  readonly relay: Pick<Relay, "post">;
  readonly tunnels: Pick<AcceptedTunnels, "open">;
  readonly held: Omit<HeldShells, "stop">;
};

/** Opens a stream to a host for a person, once auth has answered the person's own proof. */
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
    case "open":
      held.begin(shell, opened.stream);
      return opened;
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

function refused(message: string, date: string | undefined): OpenedShell {
  const body = Buffer.from(JSON.stringify({ code: "failed_precondition", message }));
  return { kind: "refused", status: 400, date, body };
}
