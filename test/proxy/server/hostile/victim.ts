import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Pair } from "../../../machine/network/fixture/authority.ts";
import { freePorts, serving } from "../process.ts";

/** A svc-proxy that all kinds of things are done to; its limits are the shipped ones. */
export type Victim = {
  readonly port: number;
  /** Of its diagnostics. */
  readonly lookPort: number;
  readonly stop: () => Promise<void>;
};

/** Serves v15.4.6 on `default`, and v15.4.7 on `stable/cloud`; by TLS where it has a key. */
export async function startVictim(pair?: Pair): Promise<Victim> {
  const folder = mkdtempSync(join(tmpdir(), "svc-proxy-hostile-"));
  const [port, lookPort] = await freePorts();
  const at = (name: string): string => join(folder, name);
  writeFileSync(at("key"), pair?.key ?? "");
  writeFileSync(at("cert"), pair?.cert ?? "");
  const lines = [
    "proxy_service:",
    "  public_addr: proxy.example.com",
    "  version: v15.4.6",
    "  automatic_upgrades_channels: {stable/cloud: {static_version: v15.4.7}}",
    `  web_listen_addr: "127.0.0.1:${port}"`,
    `  diag_addr: "127.0.0.1:${lookPort}"`,
    ...(pair === undefined ? [] : [`  https_keypairs: [{key_file: ${at("key")}, cert_file: ${at("cert")}}]`]),
  ];
  writeFileSync(at("svc.yaml"), lines.join("\n"));
  const process = serving(at("svc.yaml"));
  const stop = async (): Promise<void> => {
    await process.stop();
    rmSync(folder, { recursive: true });
  };
  try {
    await process.listening();
  } catch (failure) {
    await stop();
    throw failure;
  }
  return { port, lookPort, stop };
}
