import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readYaml } from "../../../src/machine/yaml/read-yaml.ts";
import { kindOf } from "../../../src/cluster/services/services.ts";
import { readServices, type ReadServices } from "../../../src/cluster/services/read-services.ts";
import { parseVersion } from "../../../src/rules/version/version.ts";

const source = { origin: { kind: "file", path: "/etc/svc.yaml" }, ownVersion: parseVersion("15.4.5")! } as const;

async function read(text: string): Promise<ReadServices> {
  const yaml = await readYaml(text);
  if (yaml.kind === "refused") throw new Error(yaml.why);
  return readServices(yaml.value, source);
}

async function faultsOf(text: string): Promise<readonly string[]> {
  const reading = await read(text);
  return reading.kind === "faults" ? reading.faults.map(({ key, found }) => `${key}: ${found}`) : [];
}

const pin = `sha256:${"0".repeat(64)}`;
const whole = `
version: v3
svc: {nodename: one, labels: {rack: a1}, data_dir: /srv/svc}
auth_service:
  enabled: yes
  cluster_name: example.com
  listen_addr: "[::]:4025"
  public_addr: [auth.example.com, "192.0.2.7:3025"]
  diag_addr: 127.0.0.1:4082
  proxy_listener_mode: separate
  certificate_life: 12h
  second_factor: off
  audit_retention: 90d
  report_interval: 30s
  rollout_answer_life: 20m
  session_recording: node
proxy_service:
  enabled: "yes"
  public_addr: proxy.example.com
  acme: {enabled: no}
ssh_service: {enabled: no, public_addr: [one.example.com, 192.0.2.8]}
`;

describe("a whole configuration", () => {
  test("is every service that it enables", async () => {
    const reading = await read(whole);
    expect(reading).toMatchObject({
      kind: "services",
      services: {
        dataDirectory: "/srv/svc",
        nodename: "one",
        labels: { rack: "a1" },
        auth: {
          clusterName: "example.com",
          listen: { host: "::", port: 4025 },
          publicAddresses: [
            { host: "auth.example.com", port: undefined },
            { host: "192.0.2.7", port: 3025 },
          ],
          diagnostics: { host: "127.0.0.1", port: 4082 },
          secondFactor: "off",
          times: { certificateSeconds: 43_200, auditSeconds: 90 * 86_400, reportSeconds: 30, answerLifeSeconds: 1200 },
        },
        proxy: { mode: "separate", publicAddress: { host: "proxy.example.com", port: 3080 } },
      },
      remarks: [
        "auth_service.session_recording is not svc's, and is passed over",
        "proxy_service.acme is not svc's, and is passed over",
        "there are no https_keypairs, so 0.0.0.0:3080 is plain http: something before it must speak TLS",
        "ssh_service.public_addr has no effect here, and is passed over",
      ],
    });
  });

  test("says little where it means what is usual", async () => {
    expect(await read("auth_service: {cluster_name: example}")).toEqual({
      kind: "services",
      services: {
        dataDirectory: "/var/lib/svc",
        updaterRoot: "/",
        labels: {},
        join: undefined,
        kube: undefined,
        auth: {
          clusterName: "example",
          listen: { host: "0.0.0.0", port: 3025 },
          publicAddresses: [],
          diagnostics: { host: "127.0.0.1", port: 3082 },
          secondFactor: "otp",
          times: { certificateSeconds: 30 * 86_400, auditSeconds: 365 * 86_400, reportSeconds: 600, answerLifeSeconds: 900 },
        },
        proxy: undefined,
      },
      remarks: [],
    });
  });

  test.each([
    ["auth_service: {enabled: no}\nproxy_service: {public_addr: a.example}", { auth: false, proxy: true }],
    ["auth_service: {cluster_name: a}\nproxy_service: {enabled: no}", { auth: true, proxy: false }],
    ["auth_service: {cluster_name: a}\nproxy_service: {enabled: false, public_addr: a.example}", { auth: true, proxy: false }],
    ["svc:\nauth_service: {cluster_name: a}\nssh_service:\nproxy_service: {enabled: 'false'}", { auth: true, proxy: false }],
  ])("%j enables %j", async (text, { auth, proxy }) => {
    const reading = await read(text);
    if (reading.kind === "faults") throw new Error(JSON.stringify(reading.faults));
    expect(reading.services.auth !== undefined).toBe(auth);
    expect(reading.services.proxy !== undefined).toBe(proxy);
  });
});

test("a proxy that is enabled without an address has this host's name, and says so", async () => {
  const text = "proxy_service: {enabled: yes}";
  expect(await faultsOf(text)).toEqual(["proxy_service.public_addr: nothing"]);
  const yaml = await readYaml(text);
  const reading = readServices(yaml.kind === "value" ? yaml.value : "", { ...source, ownHost: "web1.example.com" });
  if (reading.kind === "faults") throw new Error(JSON.stringify(reading.faults));
  expect(reading.services.proxy?.publicAddress).toEqual({ host: "web1.example.com", port: 443 });
  expect(reading.remarks).toContain("proxy_service.public_addr is not set: clients are told this host's name, web1.example.com");
});

test.each([
  ["ssh_service: {enabled: yes}", [], { host: "127.0.0.1", port: 22 }],
  ["ssh_service: {enabled: yes, sshd_addr: 10.0.0.7:2222}", [], { host: "10.0.0.7", port: 2222 }],
  ["ssh_service: {}", [], undefined],
  ["ssh_service: {enabled: no}", [], undefined],
  ["ssh_service: {enabled: perhaps}", ['ssh_service.enabled: "perhaps"'], undefined],
  ["ssh_service: {enabled: yes, sshd_adr: 10.0.0.7}", ["ssh_service.sshd_adr: unknown key, did you mean sshd_addr?"], undefined],
] as const)("%s is read", async (text, faults, sshd) => {
  expect(await faultsOf(text)).toEqual(faults);
  const reading = await read(text);
  expect(reading.kind === "services" ? reading.services.ssh?.sshd : undefined).toEqual(sshd);
});

test("what is nobody's is named, and a directory may end with a slash", async () => {
  const reading = await read("tokens: 7\nversion: v3\nsvc: {data_dir: /srv/svc//}\nauth_service: {cluster_name: a}");
  expect(reading).toMatchObject({
    services: { dataDirectory: "/srv/svc" },
    remarks: ["tokens is not read by this program, and is passed over"],
  });
});

test.each(["svc: {proxy_server: proxy.example.com:443}", "proxy_server: proxy.example.com:443"])(
  "where svc-upgrade finds its endpoint is passed over without a word: %s",
  async (text) => {
    expect(await read(text)).toMatchObject({ kind: "services", remarks: [] });
  },
);

test.each([
  ["nothing", "", "/"],
  ["a section of the platform's alone", "version: v3\nsvc: {nodename: one}\nssh_service: {enabled: yes}", "/"],
  ["services that are off", "auth_service: {enabled: no}\nproxy_service: {enabled: no}\nsvc: {updater_root: /}", "/"],
  ["another root for the updater", "svc: {updater_root: /srv/root/}", "/srv/root"],
])("a configuration with %s is a plain host's", async (_what, text, updaterRoot) => {
  expect(await read(text)).toMatchObject({
    kind: "services",
    services: { auth: undefined, proxy: undefined, dataDirectory: "/var/lib/svc", updaterRoot },
  });
});

describe("a configuration that is wrong", () => {
  test("is told with every fault at once, each once", async () => {
    const text = `
svc: {data_dri: /srv/svc}
auth_service: {listen_addr: here and there, proxy_listner_mode: multiplex, certificate_life: 1w}
proxy_service: {public_addr: a.example, web_listen_adr: 0.0.0.0:3080}
app_service: {public_addr: [a.example, "b c"]}
db_service: {public_addr: {a: 1}}
`;
    expect(await faultsOf(text)).toEqual([
      "svc.data_dri: unknown key, did you mean data_dir?",
      'auth_service.listen_addr: "here and there"',
      "auth_service.proxy_listner_mode: unknown key, did you mean proxy_listener_mode?",
      'auth_service.certificate_life: "1w"',
      "auth_service.cluster_name: nothing",
      'app_service.public_addr[1]: "b c"',
      "db_service.public_addr: a mapping",
      "proxy_service.web_listen_adr: unknown key, did you mean web_listen_addr?",
    ]);
  });

  test.each([
    ["a root of the updater that is relative", "svc: {updater_root: root}", ['svc.updater_root: "root"']],
    [
      "a join without a token",
      "svc: {join: {auth_server: a.example, ca_pin: sha256:00}}",
      ['svc.join.ca_pin: "sha256:00"', "svc.join.token_file: nothing"],
    ],
    [
      "a join at an address that is none, with a token in the file itself",
      `svc: {join: {auth_server: "a.example,b c", ca_pin: ${pin}, token: secret}}`,
      ['svc.join.auth_server: "a.example,b c"', "svc.join.token: unknown key", "svc.join.token_file: nothing"],
    ],
    [
      "a join of auth's own host",
      `auth_service: {cluster_name: a}\nsvc: {join: {auth_server: a.example, ca_pin: ${pin}, token_file: /token}}`,
      ["svc.join: a mapping beside auth_service"],
    ],
    [
      "a pod that is none",
      "svc: {kube: {object: {kind: DaemonSet, name: agent}, schedule_secret: state}}",
      ['svc.kube.object.kind: "DaemonSet"'],
    ],
    [
      "a pod of nowhere",
      "svc: {kube: {object: {kind: Deployment, name: agent}, schedule_secret: state}}",
      ["svc.kube.namespace: nothing", "svc.kube.api_server: nothing"],
    ],
    [
      "a pod of which only the namespace is known",
      "svc: {kube: {object: {kind: Deployment, name: agent}, schedule_secret: state, namespace: agents}}",
      ["svc.kube.api_server: nothing"],
    ],
    [
      "a pod of which only the API server is known",
      "svc: {kube: {object: {kind: Deployment, name: agent}, schedule_secret: state, api_server: {url: 'https://k:6443', ca_file: /ca, token_file: /t}}}",
      ["svc.kube.namespace: nothing"],
    ],
    [
      "a join at addresses in a list",
      `svc: {join: {auth_server: [a.example], ca_pin: ${pin}, token_file: /token}}`,
      ["svc.join.auth_server: a list"],
    ],
    ["a list", "[]", [": a list"]],
    ["a section that is none", "auth_service: yes", ['auth_service: "yes"']],
    ["a section of nobody's that is none", "tokens: 7\nauth_service: {cluster_name: a}", []],
    ["a slip in a section's name", "auth_servce: {cluster_name: a}", ["auth_servce: unknown key, did you mean auth_service?"]],
    ["a name that is none", "auth_service: {cluster_name: a b}", ['auth_service.cluster_name: "a b"']],
    ["a name of 65", `auth_service: {cluster_name: ${"a".repeat(65)}}`, [`auth_service.cluster_name: "${"a".repeat(60)}…"`]],
    ["a directory that is none", "svc: {data_dir: 7}\nauth_service: {cluster_name: a}", ["svc.data_dir: 7"]],
    ["a relative directory", "svc: {data_dir: data}\nauth_service: {cluster_name: a}", ['svc.data_dir: "data"']],
    [
      "a directory that is no section's",
      "data_dir: /srv/svc\nauth_service: {cluster_name: a}",
      ["data_dir: unknown key, did you mean svc.data_dir?"],
    ],
    [
      "a directory of auth's",
      "auth_service: {cluster_name: a, data_dir: /srv/svc}",
      ["auth_service.data_dir: unknown key, did you mean svc.data_dir?"],
    ],
    [
      "a slip in the cluster's name, once",
      "auth_service: {clustername: a}",
      ["auth_service.clustername: unknown key, did you mean cluster_name?"],
    ],
    [
      "a directory too deep for a socket",
      `svc: {data_dir: /${"é".repeat(46)}}\nauth_service: {cluster_name: a}`,
      ["svc.data_dir: a path of 93 bytes"],
    ],
    [
      "a life that is too short",
      "auth_service: {cluster_name: a, certificate_life: 9s}",
      ['auth_service.certificate_life: "9s"'],
    ],
    [
      "a life that is too long",
      "auth_service: {cluster_name: a, certificate_life: 366d}",
      ['auth_service.certificate_life: "366d"'],
    ],
    [
      "a second factor that there is not",
      "auth_service: {cluster_name: a, second_factor: webauthn}",
      ['auth_service.second_factor: "webauthn"'],
    ],
    ["a life without a unit", "auth_service: {cluster_name: a, certificate_life: 30}", ["auth_service.certificate_life: 30"]],
    [
      "no public address of an empty list",
      "auth_service: {cluster_name: a, public_addr: []}",
      ["auth_service.public_addr: an empty list"],
    ],
    [
      "an address of a proxy that is off",
      "auth_service: {cluster_name: a}\nproxy_service: {enabled: no, web_listen_addr: nowhere at all}",
      ['proxy_service.web_listen_addr: "nowhere at all"'],
    ],
    [
      "two that listen at one place",
      "auth_service: {cluster_name: a, diag_addr: 127.0.0.1:3080}\nproxy_service: {public_addr: a.example}",
      ["auth_service.diag_addr: 127.0.0.1:3080, where proxy_service.web_listen_addr listens already"],
    ],
    [
      "auth with itself",
      "auth_service: {cluster_name: a, diag_addr: 127.0.0.1:3025}",
      ["auth_service.diag_addr: 127.0.0.1:3025, where auth_service.listen_addr listens already"],
    ],
    [
      "the proxy with itself, by its own rules and once",
      "auth_service: {cluster_name: a}\nproxy_service: {public_addr: a.example, diag_addr: 127.0.0.1:3080}",
      ["proxy_service.diag_addr: 127.0.0.1:3080, where web_listen_addr listens already"],
    ],
  ])("is told: %s", async (_title, text, faults) => {
    expect(await faultsOf(text)).toEqual(faults);
  });

  test("says what a duration may be in its own words", async () => {
    const reading = await read("auth_service: {cluster_name: a, certificate_life: 0d, audit_retention: 59s}");
    expect(reading.kind === "faults" ? reading.faults.map(({ allowed }) => allowed) : []).toEqual([
      "a whole number with s, m, h or d, from 10s to 365d, for example 30d",
      "a whole number with s, m, h or d, from 1m to 3650d, for example 365d",
    ]);
  });
});

test("whatever it is given, it is services or at least one fault", () => {
  const section = fc.oneof(fc.anything(), fc.dictionary(fc.string(), fc.anything()));
  const file = fc.record(
    { svc: section, auth_service: section, proxy_service: section, ssh_service: section, other: fc.anything() },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(file, fc.anything()), (raw) => {
      const reading = readServices(raw, source);
      expect(reading.kind === "services" || reading.faults.length > 0).toBe(true);
    }),
  );
});

test("a host with a proxy is a proxy of its cluster, any other a node", () => {
  const proxy = {} as NonNullable<Parameters<typeof kindOf>[0]["proxy"]>;
  expect([kindOf({ proxy }), kindOf({ proxy: undefined })]).toEqual(["proxy", "node"]);
});

test("a pod says where it is, unless the file does", async () => {
  const kube = { object: { kind: "StatefulSet", name: "agent" }, schedule_secret: "state" };
  const apiServer = { url: "https://10.0.0.1:443", caFile: "/ca", tokenFile: "/token" };
  const pod = () => ({ namespace: "agents", apiServer });
  const { object, schedule_secret: scheduleSecret } = kube;
  expect(readServices({ svc: { kube } }, { ...source, pod })).toMatchObject({
    services: { kube: { namespace: "agents", object, scheduleSecret, apiServer } },
  });
  const elsewhere = { ...kube, namespace: "others", api_server: { url: "https://lab", ca_file: "/a", token_file: "/b" } };
  expect(readServices({ svc: { kube: elsewhere } }, { ...source, pod })).toMatchObject({
    services: { kube: { namespace: "others", apiServer: { url: "https://lab", caFile: "/a", tokenFile: "/b" } } },
  });
});

test("the name of a host is one that everybody can print", async () => {
  for (const name of ["-web1", "7c9e6679-7425-40de-944b-e07fc1f90ae7"])
    expect(await read(`svc: {nodename: "${name}"}\n`)).toMatchObject({ kind: "faults", faults: [{ key: "svc.nodename" }] });
});

describe("the section storage", () => {
  const storage = (text: string): Promise<unknown> => read(`auth_service: {cluster_name: a, storage: ${text}}`);
  const at = (more: object): object => ({ services: { auth: { storage: more } } });

  test.each([
    ["{type: sqlite}", undefined],
    [
      "{type: postgresql, conn_string: 'postgresql://svc@db.example.com/cluster', password_file: /etc/svc/word}",
      {
        host: "db.example.com",
        port: 5432,
        user: "svc",
        database: "cluster",
        passwordFile: "/etc/svc/word",
        tls: { caFile: undefined },
      },
    ],
    [
      "{type: postgresql, conn_string: 'postgres://a%40b@[::1]:6432/c?sslrootcert=/etc/ssl/db.pem'}",
      { host: "::1", port: 6432, user: "a@b", database: "c", tls: { caFile: "/etc/ssl/db.pem" } },
    ],
    [
      "{type: postgresql, conn_string: 'postgresql://svc@localhost/c?host=/run/postgresql'}",
      { host: "/run/postgresql", tls: undefined },
    ],
    ["{type: postgresql, conn_string: 'postgresql://svc@10.0.0.1/c?sslmode=disable'}", { host: "10.0.0.1", tls: undefined }],
  ])("%s is read", async (text, found) => {
    expect(await storage(text)).toMatchObject(found === undefined ? { kind: "services" } : at(found));
  });

  test.each([
    ["{}", "nothing"],
    ["{type: etcd}", '"etcd"'],
    ["{type: postgresql}", "nothing"],
    ["{type: postgresql, conn_string: 'mysql://svc@db/c'}", "credentials"],
    ["{type: postgresql, conn_string: 'postgresql://svc:s3cret@db/c'}", "a password in it (not shown)"],
    ["{type: postgresql, conn_string: 'postgresql://db/c'}", "no role"],
    ["{type: postgresql, conn_string: 'postgresql://svc@db'}", "no database"],
    ["{type: postgresql, conn_string: 'postgresql://svc@db/a%ZZ'}", "no database"],
    ["{type: postgresql, conn_string: 'postgresql://svc@db/c?sslmode=prefer&sslrootcert=a'}", '"sslmode=prefer","sslrootcert=a"'],
    ["{type: postgresql, conn_string: 'postgresql://svc@db/c?host=run'}", '"host=run"'],
    ["{type: postgresql, conn_string: 'postgresql://svc@db/c?options=x'}", '"options"'],
    ["{type: postgresql, conn_string: 3}", "3"],
    ["{type: postgresql, conn_string: 'postgresql://svc@db/c', password: x}", "key"],
  ])("%s is refused", async (text, found) => {
    const reading = await storage(text);
    expect(JSON.stringify(reading)).toContain('"kind":"faults"');
    expect(JSON.stringify(reading)).not.toContain("s3cret");
    expect(JSON.stringify(reading)).toContain("auth_service.storage");
    expect(
      (reading as { readonly faults: readonly { readonly found: string }[] }).faults.map((fault) => fault.found).join(),
    ).toContain(found);
  });
});
