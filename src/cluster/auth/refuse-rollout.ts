import { Fault, type Wrong } from "../../rules/fault/fault.ts";
import { refusedTarget } from "../../rules/rollout/refused-target.ts";
import { quote } from "../../rules/text/quote.ts";
import { parseVersion } from "../../rules/version/version.ts";
import type { ResourceOf } from "../resource/resource.ts";
import type { AuthContext } from "./context.ts";
import { everyRollout, findStanding } from "./rollout-row.ts";

type Rollout = ResourceOf<"rollout">;

/** Refuses a second rollout of a channel. Also refuses to change a rollout's channel, because its hosts would lose their rollout. */
export async function requireFreeChannel(
  context: Pick<AuthContext, "store" | "times">,
  { metadata, spec }: Rollout,
): Promise<void> {
  const all = await everyRollout(context);
  const own = all.find(({ name }) => name === metadata.name);
  if (own !== undefined && own.spec.channel !== spec.channel) {
    throw new Fault("request-refused", {
      message: `the rollout ${quote(own.name)} is that of the channel ${own.spec.channel}, and keeps it`,
      hint: `give the one of ${spec.channel} another name; or remove that one first: \`tctl rm rollout/${own.name}\``,
    });
  }
  const other = all.find((one) => one.spec.channel === spec.channel && one.name !== metadata.name);
  if (other === undefined) return;
  throw new Fault("resource-exists", {
    message: `the channel ${spec.channel} has the rollout ${quote(other.name)}`,
    hint: `give that one another target: \`tctl edit rollout/${other.name}\`; or remove it first`,
  });
}

/** Refuses a target that is older than what hosts have, unless the file allows that, and a target that this auth cannot serve. */
export async function wrongTarget(
  { store, version }: Pick<AuthContext, "store" | "version">,
  { spec: { channel, target, downgrade } }: Rollout,
): Promise<readonly Wrong[]> {
  const auth = parseVersion(version);
  if (auth === undefined) return [];
  const before = (await findStanding(store, channel))?.row.status;
  const refusal = refusedTarget({ target }, { before, auth, downgrade: downgrade ? "allow" : "refuse" });
  if (refusal === undefined) return [];
  const at = ".spec.target";
  return refusal.kind === "older"
    ? [
        {
          at,
          found: `v${target}, older than v${refusal.told}, which the channel's hosts were told before`,
          allowed: "a newer version, or this one with `downgrade: yes`",
        },
      ]
    : [
        {
          at,
          found: `v${target}, newer than auth's v${refusal.auth} by a major version`,
          allowed: "a version of auth's major, or update auth first",
        },
      ];
}
