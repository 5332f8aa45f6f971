import { authFields as sharedFields } from "../../proxy/server-rules/fields.ts";
import { withPort, type Address } from "../../rules/route/host-port.ts";
import { listenAddress, publicAddresses, yesOrNo } from "../../proxy/server-rules/read-values.ts";
import { allowedFor } from "../../rules/shape/allowed.ts";
import { clusterNamePattern } from "./cluster-name.ts";
import { readLevel, unknownKey, type Level } from "../../rules/shape/check.ts";
import type { Mapping, Refusal } from "../../rules/shape/reading.ts";
import { allowing, matching, oneOf } from "../../rules/shape/shape.ts";
import { storage } from "./storage-section.ts";
import { duration } from "./read-duration.ts";
import { secondFactors, type AuthConfiguration } from "./services.ts";

const day = 86_400;

const clusterName = matching(
  clusterNamePattern,
  "a name of at most 64 letters, digits, dots and hyphens, for example example.com; the cluster keeps it",
);

const secondFactor = allowing(
  "otp (people sign in with a one-time code besides) or off (a password is enough)",
  oneOf(secondFactors),
);

/** Our keys below auth_service. */
const authFields = {
  ...sharedFields,
  enabled: yesOrNo,
  cluster_name: clusterName,
  listen_addr: listenAddress,
  public_addr: publicAddresses,
  diag_addr: listenAddress,
  certificate_life: duration({ least: 10, most: 365 * day, example: "30d" }),
  second_factor: secondFactor,
  audit_retention: duration({ least: 60, most: 3650 * day, example: "365d" }),
  storage,
  report_interval: duration({ least: 1, most: day, example: "10m" }),
  rollout_answer_life: duration({ least: 1, most: day, example: "15m" }),
};

type AuthValues = Level<typeof authFields>["values"];

export type AuthSection = {
  /** Undefined if auth is not enabled or the section is invalid. */
  readonly configuration: AuthConfiguration | undefined;
  readonly refusals: readonly Refusal[];
  readonly remarks: readonly string[];
};

/** Keys of the platform that resemble ours but mean something else. */
const resembling: readonly string[] = ["cluster_networking", "ca_pin", "listen_address"];

export function readAuthSection(raw: Mapping | undefined): AuthSection {
  if (raw === undefined) return { configuration: undefined, refusals: [], remarks: [] };
  const { values, refusals, passedOver } = readLevel(raw, authFields, { kind: "others", known: resembling });
  const isEnabled = values.enabled !== "no";
  const isNamed = refusals.some(({ at, found }) => at === ".cluster_name" || found === unknownKey("cluster_name"));
  const { cluster_name: name } = values;
  const isMissing = isEnabled && name === undefined && !isNamed;
  const misplaced = passedOver.filter((key) => key === "data_dir").map(misplacedDirectory);
  const all = [...refusals, ...misplaced, ...(isMissing ? [missingName] : [])].map((refusal) => ({
    ...refusal,
    at: `auth_service${refusal.at}`,
  }));
  return {
    configuration: isEnabled && name !== undefined && all.length === 0 ? configurationOf(values, name) : undefined,
    refusals: all,
    remarks: passedOver.map((key) => `auth_service.${key} is not svc's, and is passed over`),
  };
}

/** Refuses a data directory in this section: if auth ignored it, it would make a new cluster in the default directory. */
function misplacedDirectory(name: string): Refusal {
  return { at: `.${name}`, found: unknownKey(`svc.${name}`), allowed: "in the section svc" };
}

const missingName: Refusal = { at: ".cluster_name", found: "nothing", allowed: allowedFor(clusterName) };

const defaults = {
  port: 3025,
  diagnosticsPort: 3082,
  certificateSeconds: 30 * day,
  auditSeconds: 365 * day,
  reportSeconds: 600,
  answerLifeSeconds: 900,
};
const everywhere: Address = { host: "0.0.0.0", port: undefined };
const here: Address = { host: "127.0.0.1", port: undefined };

function configurationOf(values: AuthValues, name: string): AuthConfiguration {
  return {
    clusterName: name,
    listen: withPort(values.listen_addr ?? everywhere, defaults.port),
    publicAddresses: values.public_addr ?? [],
    diagnostics: withPort(values.diag_addr ?? here, defaults.diagnosticsPort),
    secondFactor: values.second_factor ?? "otp",
    storage: values.storage,
    times: {
      certificateSeconds: values.certificate_life ?? defaults.certificateSeconds,
      auditSeconds: values.audit_retention ?? defaults.auditSeconds,
      reportSeconds: values.report_interval ?? defaults.reportSeconds,
      answerLifeSeconds: values.rollout_answer_life ?? defaults.answerLifeSeconds,
    },
  };
}
