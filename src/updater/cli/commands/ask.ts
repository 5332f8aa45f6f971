import { asFault, faultData } from "../../../rules/fault/explain.ts";
import { Fault } from "../../../rules/fault/fault.ts";
import type { NetworkScope } from "../../../machine/network/network-ports.ts";
import type { ChannelAnswer } from "../../../rules/decide/gate-facts.ts";
import { decodeRequest, encodeAnswer, longestRequestBytes, type AskRequest } from "../../record/hand-over.ts";
import { serveOne } from "../../socket/serve.ts";
import { askNetwork } from "../wiring/ask-network.ts";
import type { CommandContext } from "../context.ts";
import { socketFor } from "../wiring/unit-socket.ts";

/** The asking unit answers one question. A fault is an answer too, so the exit status is 0. */
export async function ask({ surroundings, log }: CommandContext): Promise<number> {
  const socket = socketFor("ask", surroundings, "to see what the cluster serves: svc-upgrade dry-run");
  const answered = new AbortController();
  const end = await serveOne({
    listen: { fd: socket },
    longestRequestBytes,
    stopping: AbortSignal.any([surroundings.stopping, answered.signal]),
    answer: async (line, gone) => {
      const stopping = AbortSignal.any([surroundings.stopping, gone]);
      const told = await answerTo(requestIn(line), { log, stopping });
      answered.abort();
      return told;
    },
  });
  if (end === "nobody came") log("notice", "no request came", {});
  return 0;
}

function requestIn(line: string): AskRequest {
  const decoded = decodeRequest(line);
  if (decoded.kind === "read") return decoded.value;
  throw new Fault("hand-over-invalid", {
    message: `svc-upgrade-ask.service cannot read what it is asked: ${decoded.why}`,
    hint: "see whether both halves are of one release: restart the pass, `systemctl start svc-upgrade.service`",
  });
}

async function answerTo(request: AskRequest, ports: Omit<NetworkScope, "proxies" | "root">): Promise<string> {
  const { pass, proxies } = request;
  const scope = { ...ports, proxies, root: "/" };
  if (request.purpose === "probe") {
    const { probe } = await import("./probe.ts");
    return probe(request, scope);
  }
  let answer: ChannelAnswer;
  try {
    answer = await askNetwork({ ...request, installed: Promise.resolve(request.installed) }, scope);
  } catch (thrown) {
    answer = { kind: "fault", fault: faultData(asFault(thrown)) };
  }
  return encodeAnswer({ pass, answer });
}
