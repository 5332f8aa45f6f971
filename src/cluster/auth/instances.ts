import type { MessageInitShape } from "@bufbuild/protobuf";
import type { InstanceSchema, InstanceService } from "../api/generated/svc/v1/instance_pb.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { instanceKinds } from "../identity/names.ts";
import type { Store } from "../storage/port.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { Role } from "../access/judge.ts";
import { loginsByLabels } from "../access/shells.ts";
import type { Caller } from "./caller.ts";
import { overtaken, put, retrying } from "./changes.ts";
import { commitFor } from "./commit.ts";
import type { AuthContext } from "./context.ts";
import { everyItem } from "./every-item.ts";
import type { HandlersOf } from "./handlers.ts";
import { nameLabel } from "./host-names.ts";
import { instanceKey, instanceRow, servicesOf, type InstanceRow, findJoined } from "./instance-row.ts";
import { pageOf, readPageSize } from "./page.ts";
import { renewableSeconds } from "./renew.ts";
import { rolesOf } from "./permission.ts";
import { roleFrom } from "./roles.ts";
import { labels } from "../resource/name.ts";
import { leavingRollout } from "./leave-rollout.ts";
import { bodyOf, findRow, readSent, rowOf, storedHostname } from "./row-forms.ts";
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
      const leaving = await leavingRollout(context, id);
      const audit = [{ event: "instance.removed", kind: "instance", name: id, before } as const, ...leaving.audit];
      const changes = [put(instanceKey(id), bodyOf(instanceRow, { ...row, removed: now() }), item), ...leaving.changes];
      const committed = await removals.during(removal, () => commitFor(caller, { changes, audit }, context));
      return committed.kind === "done" ? row.hostname : overtaken;
    };
    return { hostname: await retrying(remove, { message: "it changed while it was being removed" }) };
  },
  labelInstance: async (context, caller, { id, labels: asked }) => {
    const { store } = context;
    const change = async (): Promise<InstanceRow | typeof overtaken> => {
      const found = await findJoined(store, id);
      if (found === undefined) throw missing(id);
      const { item, row } = found;
      const all = Object.entries({ ...row.labels, ...asked }).filter(([, value]) => value !== "");
      const after = readSent(labels, Object.fromEntries(all), "a label");
      if ((asked[nameLabel] ?? "") !== "") readSent(storedHostname, asked[nameLabel], `the label ${nameLabel}`);
      await refuseLogins(context, caller, { id, before: row.labels, after });
      const written = { ...row, labels: after };
      const values = { before: { ...row.labels }, after: { ...after } };
      const detail = labelChange(values);
      const audit = [{ event: "instance.labelled", kind: "instance", name: id, ...values, detail }] as const;
      const changes = [put(instanceKey(id), bodyOf(instanceRow, written), item)];
      const committed = await commitFor(caller, { changes, audit }, context);
      return committed.kind === "done" ? written : overtaken;
    };
    const { hostname, labels: now } = await retrying(change, { message: "it changed while it was being labelled" });
    return { hostname, labels: { ...now } };
  },
};

/** Labels say who may log in, so `tctl audit ls` shows them. */
function labelChange({ before, after }: Pick<Labelling, "before" | "after">): string {
  const changed = Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name]);
  return changed.map((name) => `${name}=${after[name] ?? ""}, before: ${before[name] ?? "none"}`).join("; ");
}

type Labelling = { readonly id: string; readonly before: InstanceRow["labels"]; readonly after: InstanceRow["labels"] };

/** Refuses a label that would open shells to the caller: roles name labels, so a label can be a grant. */
async function refuseLogins({ store }: AuthContext, caller: Caller, { id, ...change }: Labelling): Promise<void> {
  if (caller.kind === "root") return;
  const all: Role[] = [];
  for await (const item of everyItem(store, "role")) all.push(roleFrom(item));
  const logins = loginsByLabels(rolesOf(caller), all, change);
  if (logins.length === 0) return;
  throw new Fault("access-denied", {
    message: `with these labels roles would open shells there that your own roles do not open: ${logins.map((one) => quote(one)).join(", ")}`,
    hint: `root can on the auth host: \`tctl instances label ${id} NAME=VALUE\``,
  });
}

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
