import type { ListInventoryRequest } from "../api/generated/svc/v1/inventory_pb.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { compareVersions, parseVersion, type Version } from "../../rules/version/version.ts";
import type { Reported } from "./known-instances.ts";

/** Whether a row fits everything that the list was asked for. */
export type InventoryFilter = (reported: Reported, isSilent: boolean) => boolean;

const any = "*";

/** Throws if a version in the request is invalid. */
export function inventoryFilter(asked: ListInventoryRequest): InventoryFilter {
  const wanted = Object.entries(asked.labels);
  const [version, below] = [askedVersion(asked.version), askedVersion(asked.olderThan)];
  const isAboutVersions = version !== undefined || below !== undefined;
  const { silent, failed, lagging, why, channel } = asked;
  return (reported, isSilent) => {
    const updater = reported.report?.updater;
    const { kind } = updater?.outcome ?? {};
    const own = isAboutVersions
      ? parseVersion((updater?.installed ?? reported.report?.version ?? reported.row.version).replace(/^v/, ""))
      : undefined;
    const labels = wanted.length === 0 ? {} : labelsOf(reported);
    return (
      (!silent || isSilent) &&
      (!failed || kind === "undone" || kind === "failed") &&
      (!lagging || (updater !== undefined && updater.served !== "" && updater.served !== updater.installed)) &&
      (why === "" || updater?.decision?.why === why) &&
      (channel === "" || updater?.channel === channel) &&
      (version === undefined || (own !== undefined && compareVersions(own, version) === 0)) &&
      (below === undefined || (own !== undefined && compareVersions(own, below) < 0)) &&
      wanted.every(([name, value]) => Object.hasOwn(labels, name) && (value === any || labels[name] === value))
    );
  };
}

type Labels = { readonly labels: Readonly<Record<string, string>> };
type Labelled = { readonly row: Labels; readonly report: Labels | undefined };

/** The labels that people gave the host, and those that it reports. */
export function labelsOf({ row, report }: Labelled): Record<string, string> {
  const own = Object.entries(report?.labels ?? {}).map(([name, value]) => [`host/${name}`, value] as const);
  return { ...row.labels, ...Object.fromEntries(own) };
}

function askedVersion(text: string): Version | undefined {
  if (text === "") return undefined;
  const version = parseVersion(text.replace(/^v/, ""));
  if (version !== undefined) return version;
  throw new Fault("request-refused", { message: `"${quote(text)}" is no version`, hint: "for example 15.4.6" });
}
