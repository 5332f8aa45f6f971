import type { JsonObject } from "@bufbuild/protobuf";
import type { SessionService } from "../api/generated/svc/v1/session_pb.ts";
import type { NamedAs } from "../resource/map-claims.ts";
import type { Caller } from "./caller.ts";
import { addressOf, pendingOf, tooMany } from "./connector-sign-in.ts";
import { connectorCalled, nameOf } from "./connectors.ts";
import type { HandlersOf } from "./handlers.ts";
import { networkOf } from "./network-of.ts";
import { faultOf, type Pending } from "./pending-sign-ins.ts";
import { requirePermission } from "./permission.ts";

type Handled = "beginSignInTest" | "awaitSignInTest";

/** Tests a sign-in for somebody who may write connectors, and shows what would come of it. */
export const signInTest: Pick<HandlersOf<typeof SessionService>, Handled> = {
  beginSignInTest: async (context, caller, { connector }) => {
    const { kind, name, redirectUrl } = await connectorCalled(context.store, connector, "tctl sso test ");
    requirePermission(caller, { kind, verb: "create" });
    const { key, address, from } = testerOf(caller);
    const pending = await context.people.pending.begin({
      connector: { kind, name },
      purpose: "test",
      client: "tctl",
      key,
      address,
      from,
      now: context.now(),
    });
    if (pending === undefined) throw tooMany();
    return { id: pending.id, url: addressOf(pending, redirectUrl) };
  },
  awaitSignInTest: async (context, caller, { id }) => {
    const pending = await pendingOf(context, { id, key: testerOf(caller).key, purpose: "test" });
    const { at } = pending;
    if (at.kind === "refused") throw faultOf(at.fault);
    if (at.kind !== "tested") return {};
    const { claimed, roles, refused } = at;
    const { issuer, subject, claims, rows } = claimed;
    return {
      test: {
        connector: nameOf(pending.connector),
        user: textOf(claimed.name),
        issuer,
        subject,
        claims: claims as JsonObject,
        mapping: rows.map((row) => ({ ...row, roles: [...row.roles] })),
        roles: [...roles],
        refused: refused?.message ?? "",
        hint: refused?.hint ?? "",
      },
    };
  },
};

function testerOf(caller: Caller): Pick<Pending, "key" | "address"> & { readonly from: string } {
  return caller.kind === "person"
    ? { key: caller.key, address: caller.address, from: `${caller.proxy} ${networkOf(caller.address)}` }
    : { key: "root", address: "", from: "root" };
}

function textOf(name: NamedAs): string {
  return name.kind === "named" ? name.name : "";
}
