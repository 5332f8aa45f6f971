import { join } from "node:path";
import { expect, test } from "vitest";
import { identityPath, readIdentity } from "../../../src/cluster/presence/identity-file.ts";
import { freePort, place, service, textOf, typed } from "./process.ts";

/** All of it as people do it: two services, and the very line that tctl prints. */
test("the line that tctl tokens add prints joins, and the cluster shows the proxy", async () => {
  const [port, ops, web, look] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  using one = place(`svc: {data_dir: DIR/data}
auth_service:
  {cluster_name: example, listen_addr: 127.0.0.1:${port}, public_addr: 127.0.0.1:${port}, diag_addr: 127.0.0.1:${ops}}
`);
  using other = place(`svc: {data_dir: DIR/data}
proxy_service: {public_addr: proxy.example.com, web_listen_addr: 127.0.0.1:${web}, diag_addr: 127.0.0.1:${look}}
`);
  await using auth = await service(one.config);
  await using proxy = await service(other.config);
  const file = join(other.directory, "token");
  const made = await typed("tctl", "tokens", "add", "--type=proxy", "--uses=1", `--out=${file}`, "-c", one.config);
  expect(made.error).toBe("");
  const [, line = ""] = /sudo svc (join .*)/.exec(made.out) ?? [];
  const joined = await typed(...line.split(" "), "-c", other.config, "--json");
  expect(joined.error).toBe("");
  const { instance } = JSON.parse(joined.out) as { readonly instance: string };
  const listed = await typed("tctl", "instances", "ls", "--format=json", "-c", one.config);
  expect(listed.out).toContain(instance);
  proxy.kill("SIGHUP");
  await proxy.said(`this host is a proxy of the cluster example instance=${instance}`);
  expect(readIdentity({ dataDirectory: join(other.directory, "data"), kind: "proxy" })?.stored.instance).toBe(instance);
  expect((await typed("tctl", "instances", "rm", instance, "-c", one.config)).error).toBe("");
  const removed = await typed("tctl", "tokens", "add", "--type=proxy", `--out=${file}-2`, "-c", one.config);
  const [, next = ""] = /sudo svc (join .*)/.exec(removed.out) ?? [];
  const replaced = await typed(...next.split(" "), "--replace", "-c", other.config, "--json");
  expect(JSON.parse(replaced.out)).toMatchObject({ is_new: true });
  expect(replaced.out).not.toContain(instance);
  const secrets = [
    textOf(file).trim(),
    ...(/"privateKey": ".*?\\n(.*?)\\n/
      .exec(textOf(identityPath({ dataDirectory: join(other.directory, "data"), kind: "proxy" })))
      ?.slice(1) ?? []),
  ];
  for (const secret of secrets) expect(`${auth.log()}${proxy.log()}${joined.out}`).not.toContain(secret);
  for (const running of [auth, proxy]) running.kill("SIGTERM");
  expect(await Promise.all([auth.ended, proxy.ended])).toEqual([0, 0]);
});
