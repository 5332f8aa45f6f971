import type { MessageInitShape } from "@bufbuild/protobuf";
import type { InstanceSchema, InstanceService } from "../api/generated/svc/v1/instance_pb.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { instanceKinds } from "../identity/names.ts";
import type { Store } from "../storage/port.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { overtaken, put, retrying } from "./changes.ts";
import { commitFor } from "./commit.ts";
import { everyItem } from "./every-item.ts";
import type { HandlersOf } from "./handlers.ts";
import { instanceKey, instanceRow, servicesOf, type InstanceRow } from "./instance-row.ts";
import { pageOf, readPageSize } from "./page.ts";
import { renewableSeconds } from "./renew.ts";
import { bodyOf, findRow, rowOf } from "./row-forms.ts";
import { timestamp } from "./timestamp.ts";

export const instanceHandlers: HandlersOf<typeof InstanceService> = {
  listInstances: async ({ store }, _caller, { kind, withRemoved, pageSize, pageToken }) => {
    if (kind !== "" && instanceKinds.every((one) => one !== kind)) {
      throw new Fault("request-refused", {
        message: `there is no kind of instance "${quote(kind)}"`,
        hint: `the kinds are ${instanceKinds.join(", ")}`,
      });
    }
    const found = instancesAfter(store, { after: pageToken, kind, withRemoved });
    const { page, nextPageToken } = await pageOf(found, readPageSize(pageSize), ({ id }) => id);
    return { instances: page.map(message), nextPageToken };
  },
  removeInstance: async (context, caller, { id }) => {
    const { store, removals, now } = context;
    const remove = async (): Promise<string | typeof overtaken> => {
      const found = await findRow(store, instanceRow, instanceKey(id));
      if (found === undefined) throw missing(id);
      const { item, row } = found;
      if (row.removed !== undefined) return row.hostname;
      const removal = {
        kind: "instance",
        at: now(),
        name: id,
        keyDigest: row.key,
        revision: item.revision,
        until: row.certificate_until + renewableSeconds,
      } as const;
      const before = { hostname: row.hostname, kind: row.kind };
      const audit = [{ event: "instance.removed", kind: "instance", name: id, before }] as const;
      const changes = [put(instanceKey(id), bodyOf(instanceRow, { ...row, removed: now() }), item)];
      const committed = await removals.during(removal, () => commitFor(caller, { changes, audit }, context));
      return committed.kind === "done" ? row.hostname : overtaken;
    };
    return { hostname: await retrying(remove, { message: "it changed while it was being removed" }) };
  },
};

type Listed = InstanceRow & { readonly id: string };
type Search = { readonly after: string; readonly kind: string; readonly withRemoved: boolean };

async function* instancesAfter(store: Pick<Store, "list">, { after, kind, withRemoved }: Search): AsyncGenerator<Listed> {
  for await (const item of everyItem(store, "instance", after)) {
    const row = rowOf(instanceRow, item);
    if ((kind === "" || row.kind === kind) && (withRemoved || row.removed === undefined)) yield { ...row, id: item.name };
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
