import type { InstanceJson } from "../../api/generated/svc/v1/instance_pb.ts";
import { Fault } from "../../../rules/fault/fault.ts";
import { quote } from "../../../rules/text/quote.ts";
import { parseInstanceId } from "../../identity/names.ts";
import type { Given } from "../../../machine/command-line/row.ts";
import type { TctlContext } from "../context.ts";
import { askedLabels, printLabels } from "../asked-labels.ts";
import { instancesAnswer, labelledInstanceAnswer, removedInstanceAnswer } from "../json/instances.ts";
import { say } from "../screen/say.ts";
import { table } from "../../../rules/text/table.ts";
import { tellShort } from "../../../machine/clocks/tell-time.ts";
import { pages } from "../pages.ts";

export async function listInstances(context: TctlContext, given: Given): Promise<number> {
  const kind = given.text("kind") ?? "";
  const withRemoved = given.isSet("removed");
  const found: InstanceJson[] = [];
  const ask = (page: object) => context.call("InstanceService/ListInstances", { kind, withRemoved, ...page });
  for await (const { instances = [] } of pages(ask)) found.push(...instances);
  return say(context, { shape: instancesAnswer, value: found, text: () => screen(found, kind) });
}

function screen(instances: readonly InstanceJson[], kind: string): string {
  if (instances.length === 0) {
    return `no ${kind === "" ? "instance" : kind} has joined: \`tctl tokens add --type=${kind === "" ? "node" : kind}\` lets one\n`;
  }
  const remarks = instances.map(remarkOf);
  const isRemarkable = remarks.some((remark) => remark !== "");
  const isLabelled = instances.some(({ labels = {} }) => Object.keys(labels).length > 0);
  return table(
    ["Server ID", "Hostname", "Services", "Version", ...(isLabelled ? ["Labels"] : []), ...(isRemarkable ? ["Remark"] : [])],
    instances.map(({ id = "", hostname = "", services = [], kind: own = "", version = "", labels = {} }, index) => [
      id,
      hostname,
      services.length === 0 ? own : services.join(","),
      version,
      ...(isLabelled ? [printLabels(labels)] : []),
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

function idIn(given: string): string {
  const id = parseInstanceId(given.toLowerCase());
  if (id !== undefined) return id;
  throw new Fault("usage", { message: `"${quote(given)}" is no id of an instance`, hint: "`tctl instances ls` shows the ids" });
}

export async function labelInstance(context: TctlContext, { arguments: [given = "", ...words] }: Given): Promise<number> {
  const id = idIn(given);
  const answer = await context.call("InstanceService/LabelInstance", { id, labels: askedLabels(words.join(",")) });
  const { hostname = "", labels = {} } = answer;
  return say(context, {
    shape: labelledInstanceAnswer,
    value: { id, hostname, labels },
    text: () => `${quote(hostname, 128)} (${id}) has ${printLabels(labels) || "no labels"} now\n`,
  });
}

export async function removeInstance(context: TctlContext, { arguments: [given = ""] }: Given): Promise<number> {
  const id = idIn(given);
  const { hostname = "" } = await context.call("InstanceService/RemoveInstance", { id });
  const value = { id, hostname };
  return say(context, {
    shape: removedInstanceAnswer,
    value,
    text: () => `${quote(hostname, 128)} (${id}) has been removed: its certificate is refused from now on\n`,
  });
}
