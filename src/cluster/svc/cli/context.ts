import { proxyVariablesIn } from "../../../rules/route/route.ts";
import { ownVersion, type Options } from "../../../proxy/server/cli/called.ts";
import { defaultConfig } from "../../../proxy/server/cli/unit-command.ts";
import type { Reader } from "../../../proxy/server/load.ts";
import type { ServerSurroundings } from "../../../proxy/server/surroundings.ts";
import { seePod } from "../../../kube/api-server/in-pod.ts";
import { loadServices, type LoadedServices } from "../load.ts";

export function loadFor({ config }: Pick<Options, "config">, { environment }: ServerSurroundings): Promise<LoadedServices> {
  const missing = config === defaultConfig ? "plain-host" : "fault";
  return loadServices(
    { path: config, missing },
    {
      ownVersion: ownVersion(),
      proxies: proxyVariablesIn(environment),
      reader: readerIn(environment),
      pod: () => seePod(environment),
    },
  );
}

/** Who reads the files: the unit, which has an invocation id from systemd, or else a person. Root counts as a person. */
function readerIn(environment: ServerSurroundings["environment"]): Reader {
  return (environment["INVOCATION_ID"] ?? "") === "" || process.geteuid?.() === 0 ? "caller" : "unit";
}
