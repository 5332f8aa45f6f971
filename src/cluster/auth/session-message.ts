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

/** The names of the user's roles; some may not exist. Undefined if the user does not exist. */
export async function rolesIn(store: Pick<Store, "get">, user: string): Promise<readonly string[] | undefined> {
  const item = await store.get({ kind: "user", name: user });
  const reading = item === undefined ? undefined : storedResource(item.body);
  return reading?.kind === "read" && reading.value.kind === "user" ? reading.value.spec.roles : undefined;
}

/** The names of the session's roles at present. A connector's stay the same until the next sign-in. */
export async function rolesOfSession(
  store: Pick<Store, "get">,
  { user, roles }: Pick<SessionRow, "user" | "roles">,
): Promise<readonly string[]> {
  return roles ?? (await rolesIn(store, user)) ?? [];
}
