import { askChannel, type ChannelQuestion } from "../../../machine/network/ask-channel.ts";
import { networkPorts, type NetworkScope } from "../../../machine/network/network-ports.ts";
import type { ChannelAnswer } from "../../../rules/decide/gate-facts.ts";

export function askNetwork(question: ChannelQuestion, scope: NetworkScope): Promise<ChannelAnswer> {
  return askChannel(question, networkPorts(scope));
}
