import type { Host, HostOptions } from "../lab/host.ts";
import type { PreparedOptions } from "../lab/prepared.ts";
import { withBuilt } from "../built-package.ts";

/** svc-proxy as a host's unit, out of its package. */

export const serverPackage = "svc-proxy";
export const unit = "svc-proxy.service";
export const socket = "svc-proxy.socket";

/** Hosts that begin with svc-proxy installed. */
export function withServer<Options extends HostOptions>(options: Options): Options & PreparedOptions {
  return withBuilt(serverPackage, options);
}

/** The cluster's file, with these keys below proxy_service as well. */
export function clusterFile(...keys: readonly string[]): string {
  return ["proxy_service:", '  enabled: "yes"', "  public_addr: proxy.example.com", ...keys.map((key) => `  ${key}`), ""].join(
    "\n",
  );
}

/** A cluster at that version, with these channels beside `default`. */
export function clusterAt(version: string, channels: string = "{}"): string {
  return clusterFile(`version: ${version}`, `automatic_upgrades_channels: ${channels}`);
}

export async function configureServer(host: Host, text: string): Promise<void> {
  await host.write("/etc/svc.yaml", text);
}

export async function startServer(host: Host): Promise<void> {
  await host.mustRun(["systemctl", "enable", "--now", "--quiet", unit]);
}

/** By its drop-in, as `systemctl edit` writes it. */
export async function dropIn(host: Host, settings: string): Promise<void> {
  await host.write(`/etc/systemd/system/${unit}.d/override.conf`, `[Service]\n${settings}\n`);
  await host.mustRun(["systemctl", "daemon-reload"]);
}

export type UnitState = { readonly enabled: string; readonly active: string };

export async function unitState(host: Host): Promise<UnitState> {
  const [enabled, active] = [
    await host.enter(["systemctl", "is-enabled", unit]),
    await host.enter(["systemctl", "is-active", unit]),
  ];
  return { enabled: enabled.stdout.trim(), active: active.stdout.trim() };
}

export async function shown(host: Host, property: string): Promise<string> {
  return (await host.mustRun(["systemctl", "show", `--property=${property}`, "--value", unit])).trim();
}

/** Where a channel is asked for. */
export function channelPath(channel: string): string {
  return `/v1/webapi/automaticupgrades/channel/${channel}`;
}

/** From outside of the host, as its clients see it. */
export function serverUrl(host: Host): string {
  return `http://${host.network.innerAddress}:3080`;
}

export async function served(host: Host, channel: string = "default"): Promise<string> {
  const answer = await fetch(`${serverUrl(host)}${channelPath(channel)}/version`);
  return (await answer.text()).trim();
}

/** One figure of its metrics, which the host alone may ask for. */
export async function metric(host: Host, name: string): Promise<number> {
  const { stdout } = await host.enter(["curl", "--silent", "http://127.0.0.1:3081/metrics"]);
  return Number(
    stdout
      .split("\n")
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length + 1) ?? Number.NaN,
  );
}
