import type { MessageInitShape } from "@bufbuild/protobuf";
import type { SessionSchema } from "../api/generated/svc/v1/session_pb.ts";
import { storedResource } from "../resource/resource.ts";
import type { Store } from "../storage/port.ts";
import type { SessionRow } from "./session-row.ts";
import { timestamp } from "./timestamp.ts";

type Shown = { readonly name: string; readonly row: SessionRow; readonly roles: readonly string[] };

export function sessionMessage({ name, row, roles }: Shown): MessageInitShape<typeof SessionSchema> {
  const { user, began, until, address, client, connector } = row;
  return { name, user, roles: [...roles], began: timestamp(began), until: timestamp(until), address, client, connector };
}

/** The user's role names, of which some may not exist. Undefined if there is no such user. */
export async function rolesIn(store: Pick<Store, "get">, user: string): Promise<readonly string[] | undefined> {
  const item = await store.get({ kind: "user", name: user });
  const reading = item === undefined ? undefined : storedResource(item.body);
  return reading?.kind === "read" && reading.value.kind === "user" ? reading.value.spec.roles : undefined;
}

/** The session's role names as they are now. Those of a connector stay until the next sign-in. */
export async function rolesOfSession(
  store: Pick<Store, "get">,
  { user, roles }: Pick<SessionRow, "user" | "roles">,
): Promise<readonly string[]> {
  return roles ?? (await rolesIn(store, user)) ?? [];
}
