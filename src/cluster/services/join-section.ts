import { parseAddress } from "../../rules/route/host-port.ts";
import { path } from "../../rules/settings/read-text.ts";
import { accepted } from "../../rules/shape/reading.ts";
import { allowing, parsed, record, refined, type Shape } from "../../rules/shape/shape.ts";

/** The section `svc.join`: how this host joins its cluster by itself. */
export type JoinConfiguration = {
  /** `HOST:PORT[,HOST:PORT…]`, as `svc join --auth-server` takes it. */
  readonly authServer: string;
  /** `sha256:…[,sha256:…]`, as `svc join --ca-pin` takes it. */
  readonly caPin: string;
  readonly tokenFile: string;
};

/** `svc join` accepts as many addresses and pins. */
const most = 8;

const eachOf = (isOne: (part: string) => boolean, allowed: string): Shape<string> =>
  parsed((text) => {
    const parts = text.split(",").map((part) => part.trim());
    return parts.length <= most && parts.every(isOne) ? text : undefined;
  }, allowed);

const keys = record({
  auth_server: eachOf(
    (part) => parseAddress(part) !== undefined,
    `HOST:PORT of auth or of a proxy of the cluster, at most ${most} with commas between them`,
  ),
  ca_pin: eachOf(
    (part) => /^sha256:[0-9a-f]{64}$/.test(part),
    "what `tctl status` on the auth host shows: sha256: and 64 digits and letters from a to f",
  ),
  token_file: path("an absolute path of a file with what `tctl tokens add` on the auth host wrote"),
});

export const join: Shape<JoinConfiguration> = refined(
  allowing("a mapping of auth_server, ca_pin and token_file", keys),
  ({ auth_server: authServer, ca_pin: caPin, token_file: tokenFile }) => accepted({ authServer, caPin, tokenFile }),
);
