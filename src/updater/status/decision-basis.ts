import { asFault, faultData } from "../../rules/fault/explain.ts";
import { observe } from "../pass/observe.ts";
import type { Observers } from "../pass/ports.ts";
import type { Binary } from "../plan/host-facts.ts";
import type { State } from "../record/state.ts";
import type { Settings } from "../../rules/settings/settings.ts";
import type { Notes } from "./notes.ts";
import type { Basis } from "./observed.ts";
import type { ChannelName } from "../../rules/channel/path.ts";
import type { ChannelAnswer } from "../../rules/decide/gate-facts.ts";

export type BasisScope = {
  readonly settings: Settings;
  readonly state: State;
  readonly userId: number;
  readonly notes: Notes;
};

/** Looks at the host as a pass does. Uses the last answer in place of the channel's. */
export async function basisOf(observers: Omit<Observers, "askChannel">, scope: BasisScope): Promise<Basis> {
  const { settings, notes, userId } = scope;
  const last = lastAnswer(scope.state, settings.channel);
  try {
    const { facts } = await observe(
      {
        ...observers,
        askBinary: async () => believed(await observers.askBinary(), { userId, notes }),
        askChannel: () => (last.kind === "answer" ? Promise.resolve(last.answer) : Promise.reject(new Error("never called"))),
      },
      {
        name: settings.agent.package,
        channel: settings.channel,
        state: scope.state,
        pin: settings.pin,
        asks: last.kind === "answer" ? "memory" : "nobody",
      },
    );
    return last.kind === "answer" ? { kind: "facts", facts } : { kind: "unasked", facts, asked: last.asked };
  } catch (thrown) {
    return { kind: "fault", fault: faultData(asFault(thrown)) };
  }
}

/** Ignores a failure of the binary for an ordinary user, because it may run for root. */
function believed(binary: Binary, { userId, notes }: Pick<BasisScope, "userId" | "notes">): Binary {
  const why = binary.kind === "broken" || binary.kind === "not-asked" ? binary.why : undefined;
  if (why === undefined || userId === 0) return binary;
  notes.add(`the agent's binary does not run for this user: ${why}`);
  return { kind: "not-asked" };
}

export type LastAnswer =
  | { readonly kind: "answer"; readonly answer: ChannelAnswer }
  /** The channel that gave the last answer; undefined if there was no answer yet. */
  | { readonly kind: "unasked"; readonly asked: string | undefined };

/** The last answer of this channel, as earlier passes left it. */
export function lastAnswer({ lastContact, passes }: State, channel: ChannelName): LastAnswer {
  if (lastContact === undefined) return { kind: "unasked", asked: undefined };
  // If the pass is no longer remembered, it is assumed to have asked the same channel.
  const asked = passes.find(({ startedAt }) => startedAt === lastContact.at)?.channel ?? channel;
  if (asked !== channel) return { kind: "unasked", asked };
  const { served, isCritical, isUnconfirmed, doubt } = lastContact;
  return {
    kind: "answer",
    answer: {
      kind: "served",
      served: served === "none" ? { kind: "none" } : { kind: "version", version: served },
      isCritical,
      isUnconfirmed,
      doubt,
    },
  };
}
