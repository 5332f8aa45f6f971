import { askChannel, type ChannelQuestion } from "../../network/ask-channel.ts";
import { networkPorts, type NetworkScope } from "../../sources/network-ports.ts";
import type { ChannelAnswer } from "../../decide/facts.ts";

export function askNetwork(question: ChannelQuestion, scope: NetworkScope): Promise<ChannelAnswer> {
  return askChannel(question, networkPorts(scope));
}
