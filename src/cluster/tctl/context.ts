import type { Given } from "../../machine/command-line/row.ts";
import { call } from "../api/call.ts";
import type { Methods } from "../api/methods.ts";
import type { Transport } from "../api/transport.ts";
import { overSocket } from "../api/root-socket.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { signedIn } from "../session/signed-in.ts";
import type { TctlSurroundings } from "./surroundings.ts";
import { placeOf, type Place } from "./place.ts";
import { findWay, type Seeking, type Way } from "./find-way.ts";

export type TctlContext = {
  readonly surroundings: TctlSurroundings;
  readonly options: { readonly config: string | undefined; readonly proxy: string | undefined; readonly format: string };
  readonly now: () => UnixSeconds;
  /** Where auth's files are, by /etc/svc.yaml or the file that was named. */
  readonly place: () => Promise<Place>;
  /** As whom to ask auth. Decided once, at the first call. */
  readonly way: (proxyIsFor?: Seeking["proxyIsFor"]) => Promise<Way>;
  readonly transport: () => Promise<Transport>;
  readonly call: <Name extends keyof Methods>(
    method: Name,
    request: Methods[Name]["request"],
  ) => Promise<Methods[Name]["response"]>;
};

export function contextFor(given: Given, surroundings: TctlSurroundings): TctlContext {
  const options = { config: given.text("config"), proxy: given.text("proxy"), format: given.format };
  const { environment, stopping } = surroundings;
  const now = (): UnixSeconds => Math.floor(Date.now() / 1000);
  const place = (): Promise<Place> => placeOf(options.config);
  let found: Promise<Way> | undefined;
  const way: TctlContext["way"] = (proxyIsFor = "the way") => (found ??= findWay({ options, environment, place, proxyIsFor }));
  let carrying: Promise<Transport> | undefined;
  const transport = (): Promise<Transport> =>
    (carrying ??= way().then((by) => (by.kind === "root" ? overSocket(by.socket) : signedIn(by.profile, { environment, now }))));
  return {
    surroundings,
    options,
    now,
    place,
    way,
    transport,
    call: async (method, request) => call(await transport(), { method, request }, { stopping }),
  };
}
