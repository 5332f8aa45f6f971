import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readConfiguration } from "../../../src/proxy/server-rules/read-configuration.ts";
import { parseVersion } from "../../../src/rules/version/version.ts";
import { configured, origin, reading } from "./configured.ts";

const whole = `
version: v3
svc: {nodename: one, data_dir: /var/lib/svc}
auth_service: {enabled: yes, proxy_listener_mode: separate, cluster_name: example}
proxy_service:
  enabled: "yes"
  public_addr: [proxy.example.com]
  web_listen_addr: "[::]:443"
  diag_addr: "[::1]"
  version: v15.4.6
  listen_addr: 0.0.0.0:2023
  kube_public_addr: [kube.example.com, kube.example.org:8443]
  https_keypairs:
    - {key_file: /etc/svc/tls.key, cert_file: /etc/svc/tls.crt}
  automatic_upgrades_channels:
    stable/cloud: {forward_url: "https://updates.example.com/v1/webapi/automaticupgrades/channel/stable/cloud/"}
    paused: {static_version: none, critical: yes}
    urgent: {static_version: 15.4.7, critical: "yes"}
    calm: {static_version: v15.4.5, critical: false}
  automatic_upgrades_forwarding: {ca_file: /etc/svc/ca.pem}
  acme: {enabled: no}
ssh_service: {enabled: no}
`;

describe("a whole configuration", () => {
  test("is read with every part of it", async () => {
    expect(await configured(whole)).toEqual({
      mode: "separate",
      publicAddress: { host: "proxy.example.com", port: 443 },
      listen: { host: "::", port: 443 },
      diagnostics: { host: "::1", port: 3081 },
      keyPairs: [{ keyFile: "/etc/svc/tls.key", certFile: "/etc/svc/tls.crt" }],
      services: {
        sshListen: { host: "0.0.0.0", port: 2023 },
        kubePublic: { host: "kube.example.com", port: undefined },
      },
      channels: new Map<string, unknown>([
        ["default", { kind: "static", served: { kind: "version", version: "v15.4.6".slice(1) }, isCritical: false }],
        [
          "stable/cloud",
          { kind: "forwarded", url: "https://updates.example.com/v1/webapi/automaticupgrades/channel/stable/cloud" },
        ],
        ["paused", { kind: "static", served: { kind: "none" }, isCritical: false }],
        ["urgent", { kind: "static", served: { kind: "version", version: "15.4.7" }, isCritical: true }],
        ["calm", { kind: "static", served: { kind: "version", version: "15.4.5" }, isCritical: false }],
      ]),
      forwarding: { caFile: "/etc/svc/ca.pem", plainHttp: "loopback-only" },
    });
  });

  test("gets a remark on a key that is not svc-proxy's", async () => {
    expect((await reading(whole)).remarks).toEqual(["proxy_service.acme is not svc-proxy's, and is passed over"]);
  });
});

describe("the smallest configuration", () => {
  test("serves its own version on one port for everything", async () => {
    const read = await configured("proxy_service: {public_addr: proxy.example.com}");
    expect(read).toMatchObject({
      mode: "multiplex",
      publicAddress: { host: "proxy.example.com", port: 443 },
      listen: { host: "0.0.0.0", port: 3080 },
      diagnostics: { host: "127.0.0.1", port: 3081 },
      keyPairs: [],
      forwarding: { caFile: undefined, plainHttp: "loopback-only" },
    });
    expect([...read.channels]).toEqual([
      ["default", { kind: "static", served: { kind: "version", version: "0.1.0" }, isCritical: false }],
    ]);
  });

  test.each([
    [
      "proxy_service: {public_addr: a.example, web_listen_addr: localhost}",
      ["the channel default serves svc-proxy's own version: set proxy_service.version to the cluster's"],
    ],
    [
      "proxy_service: {public_addr: a.example, automatic_upgrades_channels: {default: {static_version: 15.4.6}}}",
      ["there are no https_keypairs, so 0.0.0.0:3080 is plain http: something before it must speak TLS"],
    ],
  ])("of %s is remarked upon", async (text, remarks) => {
    expect((await reading(text)).remarks).toEqual(remarks);
  });

  test("is reached where it listens, if it listens on one address", async () => {
    expect((await configured("proxy_service: {web_listen_addr: 10.0.0.7:8443}")).publicAddress).toEqual({
      host: "10.0.0.7",
      port: 8443,
    });
  });

  test.each([
    ["a key without a value", "proxy_service: {public_addr: a.example, automatic_upgrades_channels: ~, https_keypairs: ~}"],
    [
      "plain http on this host",
      "proxy_service: {public_addr: a.example, automatic_upgrades_channels: {a: {forward_url: http://localhost:1}}}",
    ],
    [
      "plain http abroad where that is allowed",
      "proxy_service: {public_addr: a.example, automatic_upgrades_channels: {a: {forward_url: http://b.example}}, automatic_upgrades_forwarding: {allow_plain_http: true}}",
    ],
    [
      "another service's key that resembles one of ours",
      "proxy_service: {public_addr: a.example, peer_listen_addr: 0.0.0.0:3021}",
    ],
    ["another port beside the same address", "proxy_service: {web_listen_addr: 127.0.0.1:4080, diag_addr: 127.0.0.1:4081}"],
    ["another address beside the same port", "proxy_service: {web_listen_addr: 127.0.0.2:4080, diag_addr: 127.0.0.1:4080}"],
  ])("may hold %s", async (_title, text) => {
    expect((await reading(text)).kind).toBe("configuration");
  });
});

/** Key, found, allowed, as a person reads them. */
async function faultsIn(text: string): Promise<readonly string[]> {
  const read = await reading(text);
  if (read.kind === "configuration") return [];
  return read.faults.map(({ key, found, allowed }) => `${key}: ${found} (${allowed})`);
}

const inside = (line: string): string => `proxy_service:\n  public_addr: a.example\n  ${line}\n`;
const channel = (line: string): string => inside(`automatic_upgrades_channels: {one: ${line}}`);

describe("a fault names key, found and allowed", () => {
  test.each([
    ["[1]", /^: a list \(a mapping\)$/],
    ["", /^proxy_service: nothing \(a mapping with at least public_addr\)$/],
    ["proxy_servcie: {}", /^proxy_service: nothing, but "proxy_servcie": unknown key, did you mean proxy_service\?/],
    ["proxy_service: [1]", /^proxy_service: a list \(a mapping\)$/],
    ["auth_service: yes\nproxy_service: {public_addr: a.example}", /^auth_service: "yes" \(a mapping\)$/],
    ["proxy_service: {}", /^proxy_service.public_addr: nothing \(an IP address or a DNS name .* one address\)$/],
    ["proxy_service: ~", /^proxy_service.public_addr: nothing/],
    [inside("enabled: no"), /^proxy_service.enabled: no \(yes, where/],
    [inside("web_listen_addr: a:b:c"), /^proxy_service.web_listen_addr: "a:b:c" \(an IP address/],
    [inside("diag_addr: 127.0.0.1:3080"), /^proxy_service.diag_addr: 127.0.0.1:3080, where web_listen_addr listens already/],
    [inside("version: 15.4"), /^proxy_service.version: 15.4 \(a version/],
    [inside("https_cert_file: /tls.crt"), /^proxy_service.https_cert_file: "\/tls.crt" \(https_keypairs:/],
    [inside("https_keypairs: [{key_file: /k}]"), /^proxy_service.https_keypairs\[0\].cert_file: nothing \(/],
    [inside("https_keypairs: [{cert_file: /k}]"), /^proxy_service.https_keypairs\[0\].key_file: nothing \(/],
    [inside("kube_public_addr: []"), /^proxy_service.kube_public_addr: an empty list \(/],
    [inside("kube_public_addr: [a.example, 0.0.0.0]"), /^proxy_service.kube_public_addr\[1\]: "0.0.0.0", which nobody/],
    [inside("automatic_upgrades_channels: {/a: {static_version: 1.2.3}}"), /channels: the name "\/a" \(words of letters/],
    [channel("v15.4.6"), /channels.one: "v15.4.6" \(a mapping of static_version or forward_url\)$/],
    [channel("{}"), /channels.one: neither static_version nor forward_url \(exactly one of the two\)$/],
    [channel("{static_version: 15.4}"), /channels.one.static_version: 15.4 \(a version, for example v15.4.6, or none/],
    [channel("{static_versoin: 15.4.6}"), /channels.one.static_versoin: unknown key, did you mean static_version\?/],
    [channel("{static_version: 15.4.6, forward_url: https://b.example}"), /channels.one: both static_version and forward_url/],
    [channel("{forward_url: https://b.example, critical: yes}"), /channels.one.critical: critical beside forward_url \(/],
    [channel("{static_version: 15.4.6, critical: 1}"), /channels.one.critical: 1 \(yes or no\)$/],
    [
      channel("{forward_url: https://ann:hunter2@b.example}"),
      /channels.one.forward_url: a text with credentials \(not shown\) \(/,
    ],
    [
      channel("{forward_url: https://b.example/v1/webapi/automaticupgrades/channel/stable/cloud/version}"),
      /channels.one.forward_url: "https:.*\/version", which ends in \/version \(the same without that, https:.*\/stable\/cloud: both questions are added to it\)$/,
    ],
    [channel("{forward_url: http://b.example}"), /channels.one.forward_url: "http:\/\/b.example", which is plain http and not/],
  ])("%s", async (text, told) => {
    expect(await faultsIn(text)).toEqual([expect.stringMatching(told)]);
  });

  test.each([
    ["[a.example, b.example]", /^proxy_service.public_addr: a list of 2 \(exactly one: an IP address or a DNS name/],
    ["[]", /^proxy_service.public_addr: a list of 0 \(exactly one/],
    ["https://a.example", /^proxy_service.public_addr: "https:\/\/a.example" \(an IP address or a DNS name/],
    ["0.0.0.0:443", /^proxy_service.public_addr: "0.0.0.0:443", which nobody can connect to \(/],
  ])("public_addr %s", async (written, told) => {
    expect(await faultsIn(`proxy_service: {public_addr: "${written}"}`.replace(/"(\[.*\])"/, "$1"))).toEqual([
      expect.stringMatching(told),
    ]);
  });

  test("and all of them come at once", async () => {
    const text = `
auth_service: {proxy_listener_mode: one}
proxy_service:
  enabled: no
  public_adr: a.example
  automatic_upgrades_channels:
    one: {static_version: 15.4, forward_url: https://a.example, critical: soon}
    two words: {}
`;
    expect((await faultsIn(text)).map((fault) => fault.replace(/: .*$/, ""))).toEqual([
      "auth_service.proxy_listener_mode",
      "proxy_service.public_adr",
      "proxy_service.automatic_upgrades_channels.one.static_version",
      "proxy_service.automatic_upgrades_channels.one.critical",
      "proxy_service.automatic_upgrades_channels.one",
      "proxy_service.automatic_upgrades_channels.one.critical",
      "proxy_service.automatic_upgrades_channels",
      "proxy_service.automatic_upgrades_channels.two words",
      "proxy_service.enabled",
      "proxy_service.public_addr",
    ]);
  });
});

test("whatever the file holds, it is a configuration or faults", () => {
  const values = fc.object({
    key: fc.constantFrom("proxy_service", "public_addr", "automatic_upgrades_channels", "default", "static_version", "x"),
    maxDepth: 4,
  });
  fc.assert(
    fc.property(values, (raw) => {
      const read = readConfiguration(raw, { origin, ownVersion: parseVersion("1.2.3")!, program: "svc-proxy" });
      expect(read.kind === "configuration" || read.faults.length > 0).toBe(true);
    }),
  );
});
