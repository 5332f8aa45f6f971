import type { Field } from "../../proxy/server-rules/read-mapping.ts";
import { parseAddress } from "../../rules/route/host-port.ts";
import { readFields } from "../../rules/settings/read-fields.ts";
import { readPath } from "../../rules/settings/read-text.ts";
import { accepted, refused, type Read } from "../../rules/settings/reading.ts";

/** The section `svc.join`: how this host joins its cluster by itself. */
export type JoinConfiguration = {
  /** `HOST:PORT[,HOST:PORT…]`, as `svc join --auth-server` takes it. */
  readonly authServer: string;
  /** `sha256:…[,sha256:…]`, as `svc join --ca-pin` takes it. */
  readonly caPin: string;
  readonly tokenFile: string;
};

/** As many as `svc join` takes of either. */
const most = 8;

type Keys = { readonly auth_server: string; readonly ca_pin: string; readonly token_file: string };

export const joinField: Field<JoinConfiguration> = {
  read: (raw) => {
    const reading = readFields<Keys>(raw, {
      auth_server: {
        read: eachOf((part) => parseAddress(part) !== undefined),
        allowed: `HOST:PORT of auth or of a proxy of the cluster, at most ${most} with commas between them`,
      },
      ca_pin: {
        read: eachOf((part) => /^sha256:[0-9a-f]{64}$/.test(part)),
        allowed: "what `tctl status` on the auth host shows: sha256: and 64 digits and letters from a to f",
      },
      token_file: {
        read: readPath,
        allowed: "an absolute path of a file with what `tctl tokens add` on the auth host wrote",
      },
    });
    if (reading.kind === "refused") return reading;
    const { auth_server: authServer, ca_pin: caPin, token_file: tokenFile } = reading.value;
    return accepted({ authServer, caPin, tokenFile });
  },
  allowed: "a mapping of auth_server, ca_pin and token_file",
};

function eachOf(isOne: (part: string) => boolean): Read<string> {
  return (raw) => {
    const parts = typeof raw === "string" ? raw.split(",").map((part) => part.trim()) : [];
    return parts.length >= 1 && parts.length <= most && parts.every(isOne) ? accepted(String(raw)) : refused(raw);
  };
}
