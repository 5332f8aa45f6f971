import { readLevel, type Field, type Level } from "../../proxy/server-rules/read-mapping.ts";
import { authFields as sharedFields } from "../../proxy/server-rules/fields.ts";
import { withPort, type Address } from "../../rules/route/host-port.ts";
import { listenAddress, publicAddresses, yesOrNo } from "../../proxy/server-rules/read-values.ts";
import { unknownKey } from "../../rules/settings/read-fields.ts";
import { accepted, refused, type Mapping, type RefusedSetting } from "../../rules/settings/reading.ts";
import { readOneOf } from "../../rules/settings/read-text.ts";
import { duration } from "./read-duration.ts";
import { secondFactors, type AuthConfiguration, type SecondFactor } from "./services.ts";

const day = 86_400;

const nameField: Field<string> = {
  read: (raw) =>
    typeof raw === "string" && /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,62}[A-Za-z0-9])?$/.test(raw) ? accepted(raw) : refused(raw),
  allowed: "a name of at most 64 letters, digits, dots and hyphens, for example example.com; the cluster keeps it",
};

const secondFactor: Field<SecondFactor> = {
  read: readOneOf(secondFactors),
  allowed: "otp (people sign in with a one-time code besides) or off (a password is enough)",
};

/** Every key below auth_service that is ours. */
const authFields = {
  ...sharedFields,
  enabled: yesOrNo,
  cluster_name: nameField,
  listen_addr: listenAddress,
  public_addr: publicAddresses,
  diag_addr: listenAddress,
  certificate_life: duration({ least: 10, most: 365 * day, example: "30d" }),
  second_factor: secondFactor,
  audit_retention: duration({ least: 60, most: 3650 * day, example: "365d" }),
  report_interval: duration({ least: 1, most: day, example: "10m" }),
} satisfies Readonly<Record<string, Field<unknown>>>;

type AuthValues = Level<typeof authFields>["values"];

export type AuthSection = {
  /** Undefined: it is not enabled, or something in it is wrong. */
  readonly configuration: AuthConfiguration | undefined;
  readonly refusals: readonly RefusedSetting[];
  readonly remarks: readonly string[];
};

/** Keys of the platform's that resemble ours and mean something else. */
const resembling: readonly string[] = ["cluster_networking", "ca_pin", "listen_address"];

export function readAuthSection(raw: Mapping | undefined): AuthSection {
  if (raw === undefined) return { configuration: undefined, refusals: [], remarks: [] };
  const { values, refusals, passedOver } = readLevel(raw, authFields, { kind: "others", known: resembling });
  const isEnabled = values.enabled !== "no";
  const isNamed = refusals.some(({ at, found }) => at === ".cluster_name" || found === unknownKey("cluster_name"));
  const { cluster_name: clusterName } = values;
  const isMissing = isEnabled && clusterName === undefined && !isNamed;
  const misplaced = passedOver.filter((name) => name === "data_dir").map(misplacedDirectory);
  const all = [...refusals, ...misplaced, ...(isMissing ? [missingName] : [])].map((refusal) => ({
    ...refusal,
    at: `auth_service${refusal.at}`,
  }));
  return {
    configuration: isEnabled && clusterName !== undefined && all.length === 0 ? configurationOf(values, clusterName) : undefined,
    refusals: all,
    remarks: passedOver.map((name) => `auth_service.${name} is not svc's, and is passed over`),
  };
}

/** Passed over, it would begin a cluster in the usual directory. */
function misplacedDirectory(name: string): RefusedSetting {
  return { at: `.${name}`, found: unknownKey(`svc.${name}`), allowed: "in the section svc" };
}

const missingName: RefusedSetting = { at: ".cluster_name", found: "nothing", allowed: nameField.allowed };

const defaults = { port: 3025, diagnosticsPort: 3082, certificateSeconds: 30 * day, auditSeconds: 365 * day, reportSeconds: 600 };
const everywhere: Address = { host: "0.0.0.0", port: undefined };
const here: Address = { host: "127.0.0.1", port: undefined };

function configurationOf(values: AuthValues, clusterName: string): AuthConfiguration {
  return {
    clusterName,
    listen: withPort(values.listen_addr ?? everywhere, defaults.port),
    publicAddresses: values.public_addr ?? [],
    diagnostics: withPort(values.diag_addr ?? here, defaults.diagnosticsPort),
    secondFactor: values.second_factor ?? "otp",
    times: {
      certificateSeconds: values.certificate_life ?? defaults.certificateSeconds,
      auditSeconds: values.audit_retention ?? defaults.auditSeconds,
      reportSeconds: values.report_interval ?? defaults.reportSeconds,
    },
  };
}
