import type { ChannelName } from "../../rules/channel/path.ts";
import type { Endpoint, PackageName, UnitName } from "../../rules/settings/settings.ts";

/** The settings of an enrolment. The other files decide everything else. */
export type FragmentValues = {
  readonly endpoint: Endpoint;
  readonly channel: ChannelName | undefined;
  readonly package: PackageName | undefined;
  readonly unit: UnitName | undefined;
};

const head =
  "# Written by svc-upgrade enroll. Changes belong into a file of their own with a later name, for example 20-local.yaml.";

/** The fragment's text. Quotes values: YAML would read a channel called 15.4 as a number. */
export function fragmentText({ endpoint, channel, package: name, unit }: FragmentValues): string {
  const agent = [...entry("  package", name), ...entry("  unit", unit)];
  const lines = [...entry("endpoint", endpoint), ...entry("channel", channel), ...(agent.length > 0 ? ["agent:", ...agent] : [])];
  return `${[head, ...lines].join("\n")}\n`;
}

/** What the text of a fragment says, on one line for people. */
export function tellFragment(text: string): string {
  const said = text.split("\n").flatMap((line) => {
    const [, key, value] = /^ *(\w+): "(.*)"$/.exec(line) ?? [];
    return key === undefined ? [] : [`${key} ${value}`];
  });
  return said.join(", ");
}

function entry(key: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [`${key}: ${JSON.stringify(value)}`];
}
