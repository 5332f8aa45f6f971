// The version server of the benchmark: http and https on loopback, in its own process. Prints its two ports.
import { readFileSync } from "node:fs";
import { createServer as createPlainServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";

const [key, certificate, version] = process.argv.slice(2);

const answer: RequestListener = (request, response) => {
  const isVersion = request.url === "/v1/webapi/automaticupgrades/channel/default/version";
  response.writeHead(isVersion ? 200 : 404, { "content-type": "text/plain" }).end(isVersion ? `v${version}\n` : "");
};

const servers = [
  createPlainServer(answer),
  createTlsServer({ key: readFileSync(key!), cert: readFileSync(certificate!) }, answer),
];
const ports = servers.map(
  (server) =>
    new Promise<number>((listens) => server.listen(0, "127.0.0.1", () => listens((server.address() as AddressInfo).port))),
);
console.log((await Promise.all(ports)).join(" "));
