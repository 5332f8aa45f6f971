import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runBeside, settleBeside } from "./beside.ts";
import type { Host } from "./host.ts";
import type { Certificate } from "./server.ts";

export type Nginx = {
  readonly port: number;
  /** What it says of the servers behind it. */
  readonly errors: () => Promise<string>;
};

export type NginxOptions = {
  /** A site as an admin writes it: on port 443, with /etc/ssl/proxy.pem and .key. */
  readonly site: string;
  readonly certificate: Certificate;
};

/** The real one, on the outer end of a host's network. */
export async function startNginx(host: Host, { site, certificate }: NginxOptions): Promise<Nginx> {
  const { directory, port } = await settleBeside(host, "nginx");
  const at = (file: string): string => join(directory, file);
  await writeFile(at("proxy.pem"), certificate.cert);
  await writeFile(at("proxy.key"), certificate.key);
  const here = site
    .replace("listen 443 ", `listen ${host.network.outerAddress}:${port} `)
    .replaceAll("/etc/ssl/proxy", at("proxy"))
    .replace("/var/log/nginx", directory);
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path ${at(kind)};`);
  const configuration = [
    "daemon off;",
    "worker_processes 1;",
    `pid ${at("pid")};`,
    `error_log ${at("errors")};`,
    "events { worker_connections 512; }",
    `http {\n${places.join("\n")}\naccess_log off;\n${here}}`,
  ];
  await writeFile(at("conf"), `${configuration.join("\n")}\n`);
  await runBeside(host, { directory, port, argv: ["nginx", "-e", at("errors"), "-c", at("conf")] });
  return { port, errors: () => readFile(at("errors"), "utf8") };
}
