import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { parsePin, type Pin } from "../identity/pin.ts";
import { parseAddress, withPort, type HostPort } from "../../rules/route/host-port.ts";
import { mostAddresses } from "./identity.ts";

const authPort = 3025;
/** Enough: during a rotation there are two. */
const mostPins = 8;

/** Reads `HOST:PORT[,HOST:PORT…]`. */
export function readAuthServers(text: string): readonly HostPort[] {
  const addresses = partsOf(text).map((part) => {
    const address = parseAddress(part);
    if (address !== undefined) return withPort(address, authPort);
    throw new Fault("usage", {
      message: `"${quote(part)}" in --auth-server is no address`,
      hint: "HOST:PORT with a DNS name or an IP address (IPv6 in brackets), several with commas between them, for example auth.example.com:3025",
    });
  });
  if (addresses.length >= 1 && addresses.length <= mostAddresses) return addresses;
  throw new Fault("usage", {
    message: `--auth-server names ${addresses.length} addresses`,
    hint: `name 1 to ${mostAddresses} of them, with commas between them`,
  });
}

/** Reads `sha256:…[,sha256:…]`. */
export function readPins(text: string): readonly Pin[] {
  const pins = partsOf(text).map((part) => {
    const pin = parsePin(part);
    if (pin !== undefined) return pin;
    throw new Fault("usage", {
      message: `"${quote(part, 100)}" in --ca-pin is no pin: sha256: and 64 digits and letters from a to f`,
      hint: "`tctl status` on the auth host shows it",
    });
  });
  if (pins.length >= 1 && pins.length <= mostPins) return pins;
  throw new Fault("usage", {
    message: `--ca-pin holds ${pins.length} pins, and 1 to ${mostPins} are taken`,
    hint: "`tctl status` on the auth host shows those of the cluster",
  });
}

function partsOf(text: string): readonly string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
