import type { MessageInitShape } from "@bufbuild/protobuf";
import type { InstanceSchema, InstanceService } from "../api/generated/svc/v1/instance_pb.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { instanceKinds } from "../identity/names.ts";
import type { Item, Store } from "../storage/port.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { commitFor } from "./commit.ts";
import type { HandlersOf } from "./handlers.ts";
import { instanceKey, instanceRow, servicesOf, type InstanceRow } from "./instance-row.ts";
import { readPageSize } from "./page.ts";
import { renewableSeconds } from "./renew.ts";
import { bodyOf, rowOf } from "./row-forms.ts";
import { timestamp } from "./timestamp.ts";

const mostTries = 5;

export const instanceHandlers: HandlersOf<typeof InstanceService> = {
  listInstances: async ({ store }, _caller, { kind, withRemoved, pageSize, pageToken }) => {
    if (kind !== "" && instanceKinds.every((one) => one !== kind)) {
      throw new Fault("request-refused", {
        message: `there is no kind of instance "${quote(kind)}"`,
        hint: `the kinds are ${instanceKinds.join(", ")}`,
      });
    }
    const isWanted = (row: InstanceRow): boolean =>
      (kind === "" || row.kind === kind) && (withRemoved || row.removed === undefined);
    const most = readPageSize(pageSize);
    // One more than is wanted says whether there is another page.
    const found = await instancesAfter(store, { after: pageToken, most: most + 1, isWanted });
    const page = found.slice(0, most);
    return { instances: page.map(message), nextPageToken: found.length > most ? (page.at(-1)?.id ?? "") : "" };
  },
  removeInstance: async (context, caller, { id }) => {
    const { store, removals, now } = context;
    for (let tries = 1; tries <= mostTries; tries += 1) {
      const item = await store.get(instanceKey(id));
      if (item === undefined) throw missing(id);
      const row = rowOf(instanceRow, item);
      if (row.removed !== undefined) return { hostname: row.hostname };
      const body = bodyOf(instanceRow, { ...row, removed: now() });
      const removal = {
        kind: "instance" as const,
        at: now(),
        name: id,
        keyDigest: row.key,
        revision: item.revision,
        until: row.certificate_until + renewableSeconds,
      };
      const before = { hostname: row.hostname, kind: row.kind };
      const audit = [{ event: "instance.removed", kind: "instance" as const, name: id, detail: "", before, after: undefined }];
      const change = {
        kind: "put" as const,
        item: instanceKey(id),
        body,
        expect: { kind: "revision" as const, revision: item.revision },
      };
      const committed = await removals.during(removal, () => commitFor(caller, { changes: [change], audit }, context));
      if (committed.kind === "done") return { hostname: row.hostname };
    }
    throw new Fault("auth-busy", { message: "it changed while it was being removed", hint: "ask again" });
  },
};

type Listed = InstanceRow & { readonly id: string };
type Search = { readonly after: string; readonly most: number; readonly isWanted: (row: InstanceRow) => boolean };

const rowsAtOnce = 100;

async function instancesAfter(store: Pick<Store, "list">, { after, most, isWanted }: Search): Promise<readonly Listed[]> {
  const found: Listed[] = [];
  let last = after === "" ? undefined : after;
  for (;;) {
    const items: readonly Item[] = await store.list("instance", { after: last, most: rowsAtOnce });
    const rows = items.map((item) => ({ ...rowOf(instanceRow, item), id: item.name }));
    found.push(...rows.filter(isWanted));
    if (found.length >= most || items.length < rowsAtOnce) return found.slice(0, most);
    last = items.at(-1)?.name;
  }
}

function message(row: Listed): MessageInitShape<typeof InstanceSchema> {
  return {
    id: row.id,
    kind: row.kind,
    hostname: row.hostname,
    services: servicesOf(row, row.services),
    version: row.version,
    labels: { ...row.labels },
    ephemeral: row.ephemeral,
    joined: timestamp(row.joined),
    renewed: timestamp(row.renewed),
    certificateUntil: timestamp(row.certificate_until),
    token: row.token,
    ...when("cloned", row.cloned),
    ...when("removed", row.removed),
  };
}

function when(key: "cloned" | "removed", at: UnixSeconds | undefined): object {
  return at === undefined ? {} : { [key]: timestamp(at) };
}

function missing(id: string): Fault {
  return new Fault("resource-missing", {
    message: `there is no instance "${quote(id)}"`,
    hint: "`tctl instances ls` shows who has joined",
  });
}
