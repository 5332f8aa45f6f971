import type { InstanceJson } from "../../api/generated/svc/v1/instance_pb.ts";
import { Fault } from "../../../rules/fault/fault.ts";
import { quote } from "../../../rules/text/quote.ts";
import { parseInstanceId } from "../../identity/names.ts";
import type { Given } from "../../../machine/command-line/row.ts";
import type { TctlContext } from "../context.ts";
import { instancesAnswer, removedInstanceAnswer } from "../json/instances.ts";
import { say } from "../screen/say.ts";
import { table } from "../../../rules/text/table.ts";
import { tellShort } from "../../../machine/clocks/tell-time.ts";

export async function listInstances(context: TctlContext, given: Given): Promise<number> {
  const kind = given.text("kind") ?? "";
  const withRemoved = given.isSet("removed");
  const found: InstanceJson[] = [];
  for (let pageToken = ""; ;) {
    const page = await context.call("InstanceService/ListInstances", { kind, withRemoved, pageSize: 500, pageToken });
    found.push(...(page.instances ?? []));
    pageToken = page.nextPageToken ?? "";
    if (pageToken === "") break;
  }
  return say(context, { shape: instancesAnswer, value: found, text: () => screen(found, kind) });
}

function screen(instances: readonly InstanceJson[], kind: string): string {
  if (instances.length === 0) {
    return `no ${kind === "" ? "instance" : kind} has joined: \`tctl tokens add --type=${kind === "" ? "node" : kind}\` lets one\n`;
  }
  const remarks = instances.map(remarkOf);
  const isRemarkable = remarks.some((remark) => remark !== "");
  return table(
    ["Server ID", "Hostname", "Services", "Version", ...(isRemarkable ? ["Remark"] : [])],
    instances.map(({ id = "", hostname = "", services = [], kind: own = "", version = "" }, index) => [
      id,
      hostname,
      services.length === 0 ? own : services.join(","),
      version,
      ...(isRemarkable ? [remarks[index] ?? ""] : []),
    ]),
  );
}

function remarkOf({ removed, cloned }: InstanceJson): string {
  return [
    ...(removed === undefined ? [] : [`removed ${tellShort(removed)}`]),
    ...(cloned === undefined ? [] : [`its key is used by two hosts, seen ${tellShort(cloned)}`]),
  ].join("; ");
}

export async function removeInstance(context: TctlContext, { arguments: [given = ""] }: Given): Promise<number> {
  const id = parseInstanceId(given.toLowerCase());
  if (id === undefined)
    throw new Fault("usage", { message: `"${quote(given)}" is no id of an instance`, hint: "`tctl instances ls` shows the ids" });
  const { hostname = "" } = await context.call("InstanceService/RemoveInstance", { id });
  const value = { id, hostname };
  return say(context, {
    shape: removedInstanceAnswer,
    value,
    text: () => `${quote(hostname, 128)} (${id}) has been removed: its certificate is refused from now on\n`,
  });
}
