import { writeFileSync } from "node:fs";
import { connect } from "node:tls";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAuthority } from "../../machine/network/fixture/authority.ts";
import { configured, portIn } from "./configured.ts";
import { place, service, typed, type Place } from "./process.ts";

const authority = createAuthority("our own");
afterAll(() => authority.remove());

let text: string;
let web: string;
let servers: Place;
beforeAll(async () => {
  text = (await configured()).replace("diag_addr: 127.0.0.1:", "report_interval: 1s, diag_addr: 127.0.0.1:");
  web = portIn(text, "web_listen_addr");
  servers = place("");
  const { cert, key } = authority.issue({ name: "proxy", altName: "DNS:localhost" });
  writeFileSync(join(servers.directory, "proxy.pem"), cert);
  writeFileSync(join(servers.directory, "proxy.key"), key, { mode: 0o600 });
  const pairs = "https_keypairs: [{key_file: DIR/proxy.key, cert_file: DIR/proxy.pem}]";
  servers.write(text.replace("{public_addr: proxy.example.com,", `{public_addr: localhost, ${pairs},`));
});
afterAll(() => servers[Symbol.dispose]());

const root = (...words: readonly string[]) => typed("tctl", ...words, "-c", servers.config);

async function named(servername: string): Promise<string | undefined> {
  const socket = connect({ port: Number(web), host: "127.0.0.1", servername, rejectUnauthorized: false });
  await once(socket, "secureConnect");
  const { subjectaltname } = socket.getPeerCertificate();
  socket.destroy();
  return subjectaltname;
}

async function joinAt(host: Place, address: string): Promise<string> {
  const token = join(host.directory, `token-${Date.now()}`);
  await root("tokens", "add", "--type=node", `--out=${token}`);
  const { ca_pins: pins } = JSON.parse((await root("status", "--format=json")).out) as { readonly ca_pins: readonly string[] };
  const where = ["--auth-server", address, "--token", token, "--ca-pin", pins.join()];
  const { error, out } = await typed("join", ...where, "--json", "-c", host.config);
  expect(error).toBe("");
  return (JSON.parse(out) as { readonly cluster_id: string }).cluster_id;
}

test("a host joins and reports through the proxy's one port, which goes on answering", async () => {
  await using svc = await service(servers.config);
  await svc.said("has joined the cluster of its auth service");
  await svc.said("is a proxy of the cluster");
  using host = place("svc: {data_dir: DIR/data, updater_root: DIR/root, nodename: web1}\n");
  const cluster = await joinAt(host, `127.0.0.1:${web}`);
  await using there = await service(host.config);
  await there.said("is a node of the cluster example");
  const reported = async (): Promise<string> => (await root("inventory", "ls")).out;
  await expect.poll(reported).toMatch(/ web1 .*node/);

  expect(await named("localhost")).toBe("DNS:localhost");
  expect(await named(`auth.${cluster}.svc.internal`)).toContain(`DNS:auth.${cluster}.svc.internal`);
  expect(await named("auth.00000000-0000-4000-8000-000000000001.svc.internal")).toBe("DNS:localhost");
  const told = await (await fetch(`http://127.0.0.1:${portIn(text, "proxy_service: .*diag_addr")}/metrics`)).text();
  expect(told).toMatch(/^svc_proxy_passed_connections_total\{outcome="passed"\} [1-9]/m);
  svc.kill("SIGTERM");
  expect(await svc.ended).toBe(0);
});
