import { Fault } from "../../rules/fault/fault.ts";
import { isElsewhere, type CompanionFound, type Side } from "../plan/companion.ts";
import type { Binary } from "../plan/host-facts.ts";
import { compareVersions } from "../../rules/version/version.ts";
import { wrappedVersion, type PackageVersion } from "../../rules/version/wrapped.ts";
import type { Changing } from "./change.ts";
import { companionsFound } from "./companions.ts";

/** Verifies an installation by the package database and the binary, not by the exit status. */
export async function verify(
  to: PackageVersion,
  side: Side,
  { settings, manager, ports }: Omit<Changing, "journal">,
): Promise<void> {
  const name = settings.agent.package;
  const [installed, companions, binary] = await Promise.all([
    manager.inspect(name),
    companionsFound({ manager, ports }),
    ports.askBinary(),
  ]);
  if (installed.kind === "absent") throw notVerified(`after the installation ${name} is not installed`);
  if (installed.packageVersion !== to || installed.condition !== "whole") {
    const found = installed.condition === "whole" ? installed.packageVersion : `${installed.packageVersion}, only half installed`;
    throw notVerified(`after the installation ${name} is at ${found}, not at ${to}`);
  }
  const left = companions.filter((companion) => isElsewhere(companion, side));
  if (left.length > 0)
    throw notVerified(`${name} is at ${to}, but not what moves along with it: ${left.map(tellLeft).join(", ")}`);
  const complaint = complaintOf(binary, to);
  if (complaint !== undefined) throw notVerified(`${name} is at ${to}, but its binary ${complaint}`);
}

function tellLeft({ name, found }: CompanionFound): string {
  if (found.kind === "absent") return `${name} is not installed`;
  return `${name} is at ${found.packageVersion}${found.condition === "whole" ? "" : ", only half installed"}`;
}

function complaintOf(binary: Binary, to: PackageVersion): string | undefined {
  switch (binary.kind) {
    case "not-asked":
      return undefined;
    case "answers": {
      const meant = wrappedVersion(to);
      return meant === undefined || compareVersions(binary.version, meant) === 0 ? undefined : `says it is ${binary.version}`;
    }
    case "missing":
      return "is missing";
    case "broken":
      return `does not run: ${binary.why}`;
  }
}

function notVerified(message: string): Fault {
  return new Fault("verify-failed", {
    message,
    hint: "look at what the package manager said: `journalctl -u svc-upgrade`",
  });
}
