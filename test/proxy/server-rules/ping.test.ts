import { expect, test } from "vitest";
import { pingOf } from "../../../src/proxy/server-rules/ping.ts";
import { configured } from "./configured.ts";

test("in multiplex mode everything is reached at the public web address", async () => {
  const configuration = await configured("proxy_service: {public_addr: proxy.example.com, web_listen_addr: 0.0.0.0:3080}");
  expect(pingOf(configuration)).toEqual({
    proxy: {
      kube: { enabled: false, public_addr: "proxy.example.com:443", listen_addr: "0.0.0.0:3080" },
      ssh: {
        listen_addr: "0.0.0.0:3080",
        tunnel_listen_addr: "0.0.0.0:3080",
        public_addr: "proxy.example.com:443",
        ssh_public_addr: "proxy.example.com:443",
        ssh_tunnel_public_addr: "proxy.example.com:443",
      },
      db: {
        postgres_public_addr: "proxy.example.com:443",
        mysql_listen_addr: "0.0.0.0:3080",
        mysql_public_addr: "proxy.example.com:443",
      },
      tls_routing_enabled: true,
    },
  });
});

test("in separate mode each service has its own port", async () => {
  const configuration = await configured(
    'auth_service: {proxy_listener_mode: separate}\nproxy_service: {public_addr: "2001:db8::7", web_listen_addr: "[::]:3080"}',
  );
  expect(pingOf(configuration)).toEqual({
    proxy: {
      kube: { enabled: false, public_addr: "[2001:db8::7]:3026", listen_addr: "[::]:3026" },
      ssh: {
        listen_addr: "[::]:3023",
        tunnel_listen_addr: "[::]:3024",
        public_addr: "[2001:db8::7]:3080",
        ssh_public_addr: "[2001:db8::7]:3023",
        ssh_tunnel_public_addr: "[2001:db8::7]:3024",
      },
      db: {
        postgres_public_addr: "[2001:db8::7]:5432",
        mysql_listen_addr: "[::]:3036",
        mysql_public_addr: "[2001:db8::7]:3036",
      },
      tls_routing_enabled: false,
    },
  });
});

test.each([
  ["separate", "enabled: yes", "a.example:3080"],
  ["separate", "public_addr: a.example:8443\n  web_listen_addr: 0.0.0.0:443", "a.example:8443"],
])("in %s mode with %j the web is reached at %s", async (mode, line, told) => {
  const named = line.includes("public_addr") ? line : `public_addr: a.example\n  ${line}`;
  const configuration = await configured(`auth_service: {proxy_listener_mode: ${mode}}\nproxy_service:\n  ${named}`);
  expect(pingOf(configuration).proxy.ssh.public_addr).toBe(told);
});

const given = `
  public_addr: a.example
  kube_public_addr: kube.example
  mysql_public_addr: [sql.example:4036, other.example]
  kube_listen_addr: 10.0.0.7
  listen_addr: 10.0.0.7:2023
`;

test.each([
  ["multiplex", ["kube.example:443", "sql.example:4036", "10.0.0.7:3026", "10.0.0.7:2023", true]],
  ["separate", ["kube.example:3026", "sql.example:4036", "10.0.0.7:3026", "10.0.0.7:2023", true]],
])("in %s mode an address that is given is told", async (mode, told) => {
  const configuration = await configured(`auth_service: {proxy_listener_mode: ${mode}}\nproxy_service:${given}`);
  const { kube, db, ssh } = pingOf(configuration).proxy;
  expect([kube.public_addr, db.mysql_public_addr, kube.listen_addr, ssh.listen_addr, kube.enabled]).toEqual(told);
});

test.each([
  ["a public address alone", "kube_public_addr: b.example", true],
  ["nothing", "enabled: yes", false],
])("%s makes Kubernetes enabled or not", async (_title, line, isEnabled) => {
  for (const mode of ["multiplex", "separate"]) {
    const proxy = `proxy_service:\n  public_addr: a.example\n  ${line}`;
    const configuration = await configured(`auth_service: {proxy_listener_mode: ${mode}}\n${proxy}`);
    expect(pingOf(configuration).proxy.kube.enabled).toBe(isEnabled);
  }
});
