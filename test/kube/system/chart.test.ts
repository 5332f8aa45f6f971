import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { describedChart } from "../../../packaging/helm/pack.ts";
import { blockIn, excerpt } from "../../documents.ts";
import { until } from "../../system/lab/until.ts";
import { servedChart } from "../lab/served-chart.ts";
import { chart, helmOf, helms, offline, type Helm, type HelmName } from "../lab/helm.ts";
import type { Kubectl } from "../lab/kubectl.ts";
import { makeVolume } from "../lab/volume.ts";
import { inLab, inNamespace, type Stage } from "../lab/namespace.ts";
import { chartsSettings } from "../lab/agent.ts";
import { longestMs } from "../lab/updater.ts";

/** People install it with helm 3 or helm 4, and what the updater has moved stays moved. */

const pin = `sha256:${"0".repeat(64)}`;
const repository = "registry.example:5000/svc";
const values = {
  enterprise: true,
  image: { repository, tag: "15.4.5" },
  join: { authServer: "auth.example.com:3025", caPin: pin, token: "a-token" },
  annotations: { deployment: { "svc.dev/skipreconcile": false } },
  proxies: { https: "http://proxy.corp.example.com:3128", noProxy: "10.0.0.0/8" },
  updater: {
    enabled: true,
    image: { repository: "registry.example:5000/updater" },
    versionServer: "https://proxy.example.com",
    window: { utc_start_hour: 3, weekdays: ["Tue", "Wed"] },
  },
};
type Updater = Readonly<Record<string, unknown>>;

const relay = { kind: "Deployment", name: "relay" };

function updaterWith(more: Updater): object {
  return { ...values, updater: { ...values.updater, ...more } };
}

/** Replaces objects, and wipes what others have written there. */
const forced = { helm3: ["--force"], helm4: ["--force-replace", "--server-side=false"] };

describe.each(helms)("with %s, the chart", (name) => {
  test(
    "is without a fault, with the updater and without",
    inLab(async (lab) => {
      const helm = helmOf(lab, name);
      expect(await helm(["lint", "--strict", chart, ...offline], values)).toContain("0 chart(s) failed");
      expect(await helm(["lint", "--strict", chart, ...offline], { image: { repository } })).toContain("0 chart(s) failed");
      const example = parse(excerpt("chart-values").replace("…", "0".repeat(64))) as object;
      expect(await helm(["template", "agent", chart, ...offline], example)).toContain("secretName: svc-token\n");
      expect(await helm(["template", "agent", chart, ...offline], { image: { repository } })).not.toContain("agent-updater");
      // The two keys alone: the rest comes from the agent.
      const agents = {
        image: { repository },
        config: { svc: { data_dir: "/var/lib/svc/data", proxy_server: "proxy.example.com:443" } },
      };
      const bare = await helm(["template", "agent", chart, ...offline], {
        ...agents,
        enterprise: true,
        updater: { enabled: true },
      });
      expect(bare).toContain(`image: "${repository}-kube-updater:${describedChart().appVersion}"\n`);
      expect(bare).toContain('endpoint: "https://proxy.example.com:443"\n');
    }),
  );

  test(
    "refuses what cannot be meant, and says what to set",
    inLab(async (lab) => {
      const helm = helmOf(lab, name);
      const { enterprise: _, ...unsaid } = values;
      const refused: readonly (readonly [object, RegExp])[] = [
        [unsaid, /set `enterprise: true`/],
        [{ ...values, enterprise: null }, /set `enterprise: true`/],
        [{ ...values, enterprise: false }, /set `enterprise: true`/],
        [{ ...values, enterprise: "yes" }, /enterprise/],
        [{ ...values, entreprise: true }, /entreprise/],
        [{ ...values, image: { repo: repository } }, /'?repo'?/],
        [{ ...values, kind: "DaemonSet" }, /kind/],
        [{}, /set `image\.repository`/],
        [updaterWith({ registry: { lookup: "never", pin: "digest" } }), /set `updater\.registry\.lookup`/],
        [updaterWith({ registry: { lookup: "sometimes" } }), /lookup/],
        [updaterWith({ objects: [{ kind: "StatefulSet", name: "relay", chanel: "x" }] }), /'?chanel'?/],
        [updaterWith({ objects: [{ kind: "Deployment" }] }), /'?name'?/],
        [updaterWith({ objects: [relay, relay] }), /`updater\.objects` names the Deployment relay twice/],
        [
          updaterWith({ objects: Array.from({ length: 32 }).map((_one, index) => ({ ...relay, name: `relay-${index}` })) }),
          /would follow 33 objects/,
        ],
        [updaterWith({ objects: [relay], labelled: true }), /are both set: remove one\. .* the label svc\.dev\/updater=agent/],
        [updaterWith({ versionServer: "" }), /set `updater\.versionServer`/],
        [updaterWith({ window: { utc_start_hours: 3 } }), /window/],
        [updaterWith({ window: { utc_start_hour: 3, weekdays: ["Tues"] } }), /weekdays/],
        [updaterWith({ window: { start: "2:00", duration: "2h" } }), /start/],
        [updaterWith({ window: { start: "02:00", duration: "2h", timezone: "Berlin!" } }), /timezone/],
        [updaterWith({ pin: { version: "15.4" } }), /version/],
        [updaterWith({ hold: { until: "tomorrow" } }), /until/],
        [updaterWith({ blackouts: [{ from: "12-32", to: "01-02" }] }), /from/],
        [updaterWith({ blackouts: [{ from: "12-20", to: "12-20" }] }), /that day itself is free again/],
        [updaterWith({ blackouts: [{ from: "2026-12-24", to: "2026-12-20" }] }), /which is earlier: set a later day/],
        [updaterWith({ deadlines: { health: "25h" } }), /health/],
        [updaterWith({ versionServer: "http://proxy.example.com" }), /set its https address, or `updater\.allowPlainHttp: true`/],
        [updaterWith({ replicas: 0 }), /replicas/],
        [{ ...values, image: { repository: `${repository}:15.4.5` } }, /repository/],
        [{ ...values, join: { ...values.join, tokenSecret: "mine" } }, /not both/],
        [{ ...values, join: { authServer: "auth.example.com", caPin: pin } }, /set `join\.token`/],
        [{ ...values, proxies: { https: "http://user:word@localhost:3128" } }, /`proxies\.https` names the pod itself/],
        [{ ...values, proxies: { http: "127.0.0.1:3128" } }, /`proxies\.http` names the pod itself/],
      ];
      for (const plain of ["http://127.0.0.1:3080", "http://localhost", "http://[::1]:3080/x"]) {
        expect(await helm(["template", "agent", chart, ...offline], updaterWith({ versionServer: plain }))).toContain(plain);
      }
      for (const [given, told] of refused) {
        const said = await helm(["template", "agent", chart, ...offline], given).catch(String);
        expect(`${JSON.stringify(given)}: ${said}`).toMatch(told);
      }
    }),
  );

  test(
    "comes from a repository, by its version",
    inLab(async (lab) => {
      const helm = helmOf(lab, name);
      await using served = await servedChart();
      await helm(["repo", "add", "svc", served.url]);
      const { version } = describedChart();
      const shown = await helm(["show", "chart", "svc/svc-agent", `--version=${version}`]);
      expect(shown).toContain(`version: ${version}\n`);
      await expect(helm(["show", "chart", "svc/svc-agent", "--version=99.0.0"])).rejects.toThrow(/99\.0\.0/);
    }),
  );

  test(
    "keeps the image that the updater has set, through upgrades and switching off, until it is forced or rolled back",
    inNamespace([], async (stage) => {
      const { admin } = stage;
      const helm = await restricted(stage, name);
      await helm(["install", "agent", chart], values);
      await ready(admin);
      const pods = await admin(["get", "pods", "--output=name"]);
      expect(pods).toMatch(/^pod\/agent-0\npod\/agent-updater-[a-z0-9-]+\n$/);

      await move(admin, "15.4.6");
      const moved = await generation(admin);
      // In mid-move the field is still the updater's.
      await helm(["upgrade", "agent", chart], updaterWith({ releaseChannel: "stable/cloud" }));
      expect(await image(admin)).toBe(`${repository}:15.4.6`);
      await remember(admin, 7);
      await giveBack(admin);
      await helm(["upgrade", "agent", chart, "--reuse-values", "--set=updater.releaseChannel=other"]);
      expect([await image(admin), await generation(admin)]).toEqual([`${repository}:15.4.6`, moved]);
      expect(await turnIn(admin)).toBe("7");

      await helm(["upgrade", "agent", chart], updaterWith({ enabled: false }));
      expect([await image(admin), await generation(admin)]).toEqual([`${repository}:15.4.6`, moved]);
      expect(await admin(["get", "deployments,serviceaccounts", "--output=name"])).not.toContain("agent-updater");
      expect(await recorded(admin)).toContain('"turn":7');
      await helm(["upgrade", "agent", chart], { ...values, resources: { limits: { memory: "1Gi" } } });
      expect([await image(admin), await generation(admin)]).toEqual([`${repository}:15.4.6`, String(Number(moved) + 1)]);

      await helm(["rollback", "agent", "1"]);
      expect(await image(admin)).toBe(`${repository}:15.4.5`);
      await move(admin, "15.4.6");
      await giveBack(admin);
      await helm(["upgrade", "agent", chart], { ...values, image: { repository, tag: "15.4.7", force: true } });
      expect(await image(admin)).toBe(`${repository}:15.4.7`);

      await helm(["uninstall", "agent", "--wait"]);
      await expect(admin(["get", "statefulset/agent"])).rejects.toThrow(/not found/);
      expect(await recorded(admin)).toContain('"turn":7');
      await helm(["install", "agent", chart], values);
      await ready(admin);
      expect(await image(admin)).toBe(`${repository}:15.4.5`);
      expect(await recorded(admin)).toContain('"turn":7');

      await move(admin, "15.4.6");
      await helm(["upgrade", "agent", chart, ...forced[name]], updaterWith({ enabled: false }));
      expect([await image(admin), await recorded(admin), await turnIn(admin)]).toEqual([`${repository}:15.4.6`, "", "7"]);
    }),
  );
});

test(
  "a release of helm 3 keeps the image under helm 4, which no longer counts who set it",
  inNamespace([], async (stage) => {
    const { admin } = stage;
    await (
      await restricted(stage, "helm3")
    )(["install", "agent", chart], values);
    await move(admin, "15.4.6");
    const helm = helmOf(stage.lab, "helm4", stage.namespace);
    await helm(["upgrade", "agent", chart], updaterWith({ releaseChannel: "other" }));
    expect(await image(admin)).toBe(`${repository}:15.4.6`);
  }),
);

test(
  "another repository takes the live tag along where it is the newer one; another kind takes the whole image",
  inNamespace([], async (stage) => {
    const { admin } = stage;
    const helm = await restricted(stage, "helm4");
    await helm(["install", "agent", chart], values);
    await move(admin, `15.4.6@sha256:${"1".repeat(64)}`);
    await giveBack(admin);
    const deployment = { ...values, kind: "Deployment" };
    const rendered = async (given: object): Promise<string> => {
      const manifest = await helm(["upgrade", "agent", chart, "--dry-run=server"], given);
      return /name: svc\n +image: "(.*)"/.exec(manifest)?.[1] ?? "none";
    };
    const elsewhere = "mirror.example/svc";
    expect(await rendered(deployment)).toBe(`${repository}:15.4.6@sha256:${"1".repeat(64)}`);
    expect(await rendered({ ...values, image: { repository: elsewhere, tag: "15.4.5" } })).toBe(`${elsewhere}:15.4.6`);
    expect(await rendered({ ...values, image: { repository: elsewhere, tag: "15.4.10" } })).toBe(`${elsewhere}:15.4.10`);
  }),
);

test(
  "says what is left of a move when the updater is switched off in its middle, and what ends it",
  inNamespace([], async (stage) => {
    const { admin } = stage;
    const helm = await restricted(stage, "helm4");
    expect(await helm(["install", "agent", chart], values)).not.toContain("in the middle");
    await move(admin, "15.4.6");
    const imageBefore = `${repository}:15.4.5`;
    await remember(admin, 7, { move: { step: "rolling", from: "15.4.5", to: "15.4.6", imageBefore } });
    expect(await helm(["upgrade", "agent", chart], values)).not.toContain("in the middle");
    const notes = await helm(["upgrade", "agent", chart], updaterWith({ enabled: false }));
    expect(notes).toContain("in the middle of a move (15.4.5 -> 15.4.6), at the step rolling");
    const command = /^ {2}kubectl (.*)$/m.exec(notes)?.[1] ?? "";
    await admin(command.split(" "));
    expect(await image(admin)).toBe(imageBefore);
    await helm(["upgrade", "agent", chart], updaterWith({ enabled: false }));
    expect(await image(admin)).toBe(imageBefore);
  }),
);

test(
  "who may not see what runs cannot upgrade by guess",
  inNamespace([{ apiGroups: [""], resources: ["secrets"], verbs: ["*"] }], async (stage) => {
    const helm = await restricted(stage, "helm4");
    await helm(["install", "agent", chart], values);
    const asAccount = `--kube-as-user=system:serviceaccount:${stage.namespace}:account`;
    await expect(helm(["upgrade", "agent", chart, asAccount], values)).rejects.toThrow(/error calling lookup: .* is forbidden/);
  }),
);

test(
  "gives each account what it needs, by name, and nothing else",
  inNamespace([], async (stage) => {
    const { admin } = stage;
    await (
      await restricted(stage, "helm4")
    )(["install", "agent", chart], values);
    for (const account of ["agent-updater", "agent", "default"])
      expect(await rights(stage, account)).toEqual(documented(account));
    const may = (verb: string, what: string): Promise<string> =>
      admin(["auth", "can-i", verb, what, ...as(stage, "agent-updater")]).then(
        () => "yes",
        () => "no",
      );
    for (const verb of ["list", "watch", "patch"]) expect(await may(verb, "statefulsets/agent")).toBe("yes");
    for (const verb of ["get", "update", "delete"]) expect(await may(verb, "statefulsets/agent")).toBe("no");
    for (const what of ["statefulsets", "statefulsets/other", "deployments/agent", "configmaps", "secrets/other"]) {
      expect(await may("list", what)).toBe("no");
    }
    expect(await may("get", "secrets/regcred")).toBe("no");
    const helm = helmOf(stage.lab, "helm4", stage.namespace);
    const pulling = { ...values, imagePullSecrets: [{ name: "regcred" }] };
    await helm(["upgrade", "agent", chart], pulling);
    for (const [verb, is] of [
      ["get", "yes"],
      ["list", "no"],
      ["watch", "no"],
    ] as const)
      expect(await may(verb, "secrets/regcred")).toBe(is);
    expect(await chartsSettings(admin)).toContain('\nregistry: {"lookup":"prefer","pin":"none","pull_secrets":["regcred"]}\n');
    await helm(["upgrade", "agent", chart], { ...pulling, updater: { ...values.updater, registry: { lookup: "never" } } });
    expect(await may("get", "secrets/regcred")).toBe("no");
  }),
);

test(
  "an updater that does not get ready leaves the one that works, with the settings that it has read",
  inNamespace([], async (stage) => {
    const { admin } = stage;
    const helm = await restricted(stage, "helm4");
    await helm(["install", "agent", chart], values);
    await admin(["rollout", "status", "deployment/agent-updater"]);
    const updaters = async (): Promise<readonly string[]> =>
      (await admin(["get", "pods", "--selector=app.kubernetes.io/component=updater", "--output=name"])).trim().split("\n");
    const [works] = await updaters();
    await helm(["upgrade", "agent", chart], updaterWith({ image: { repository: "registry.example:5000/bad" } }));
    const both = await until("another updater begins", longestMs, async () => {
      const found = await updaters();
      return found.length < 2 ? undefined : found;
    });
    expect(both).toContain(works);
    expect(await seen(admin, "deployment/agent-updater", "{.status.availableReplicas}")).toBe("1");
  }),
);

test(
  "follows more objects, each with its record, its rights and what differs for it; the agent goes first unless it is named",
  inNamespace([], async (stage) => {
    const { admin } = stage;
    const helm = await restricted(stage, "helm4");
    const canary = { kind: "StatefulSet", name: "canary", channel: "stable/early", window: { utc_start_hour: 4 } };
    await helm(["install", "agent", chart], updaterWith({ objects: [canary, relay] }));
    const settings = async (): Promise<unknown> => parse(await chartsSettings(admin)) as unknown;
    const own = { kind: "StatefulSet", name: "agent" };
    const usual = { container: "svc", tag: "{version}" };
    expect(await settings()).toMatchObject({ objects: [own, canary, relay].map((one) => ({ ...usual, ...one })) });
    expect(await rights(stage, "agent-updater")).toEqual([
      "configmaps [deployment-relay-updater] [list watch patch]",
      "configmaps [statefulset-agent-updater] [list watch patch]",
      "configmaps [statefulset-canary-updater] [list watch patch]",
      "deployments.apps [relay] [list watch patch]",
      "events.events.k8s.io [] [create patch]",
      "leases.coordination.k8s.io [agent-updater] [list watch create patch]",
      "pods [] [list watch delete]",
      "replicasets.apps [] [list watch]",
      "secrets [agent-shared-state] [list watch]",
      "statefulsets.apps [agent] [list watch patch]",
      "statefulsets.apps [canary] [list watch patch]",
    ]);
    const records = ["deployment-relay-updater", "statefulset-agent-updater", "statefulset-canary-updater"];
    const found = await admin(["get", "configmaps", "--output=name"]);
    for (const record of records) expect(found).toContain(`configmap/${record}\n`);

    await helm(["upgrade", "agent", chart], updaterWith({ objects: [canary, { ...own, container: "svc" }] }));
    expect(await settings()).toMatchObject({ objects: [canary, own] });
    await helm(["upgrade", "agent", chart], values);
    expect(await settings()).toMatchObject({ object: { ...usual, ...own } });
    expect(await admin(["get", "configmaps", "--output=name"])).toContain("configmap/statefulset-canary-updater\n");
  }),
);

test(
  "follows by a label, which the agent and its record bear, with rights for the whole namespace, and lets go of it again",
  inNamespace([], async (stage) => {
    const { admin } = stage;
    const helm = await restricted(stage, "helm4");
    await helm(["install", "agent", chart], values);
    const bear = async (): Promise<readonly string[]> =>
      (await admin(["get", "statefulsets,configmaps", "--selector=svc.dev/updater=agent", "--output=name"])).trim().split("\n");
    expect(await bear()).toEqual([""]);
    await helm(["upgrade", "agent", chart], updaterWith({ labelled: true }));
    expect(await bear()).toEqual(["statefulset.apps/agent", "configmap/statefulset-agent-updater"]);
    expect(await rights(stage, "agent-updater")).toEqual(documented("agent-updater", "chart-labelled-rights"));
    const settings = parse(await chartsSettings(admin)) as unknown;
    expect(settings).toMatchObject({ labelled: { updater: "agent", container: "svc", tag: "{version}" } });
    await helm(["upgrade", "agent", chart], values);
    expect(await bear()).toEqual([""]);
  }),
);

/** Where only restricted pods start. The volumes are there: nothing in the lab makes them. */
async function restricted({ lab, namespace, admin }: Stage, name: HelmName): Promise<Helm> {
  await admin(["label", "namespace", namespace, "pod-security.kubernetes.io/enforce=restricted"]);
  await expect(admin(["run", "careless", "--image=svc"])).rejects.toThrow(/violates PodSecurity "restricted/);
  await makeVolume({ namespace, admin });
  return helmOf(lab, name, namespace);
}

async function ready(admin: Kubectl): Promise<void> {
  await admin(["rollout", "status", "statefulset/agent", "--timeout=20s"]);
  await admin(["rollout", "status", "deployment/agent-updater", "--timeout=20s"]);
}

/** As the updater does it. */
async function move(admin: Kubectl, tag: string): Promise<void> {
  const patch = [{ op: "replace", path: "/spec/template/spec/containers/0/image", value: `${repository}:${tag}` }];
  await admin(["patch", "statefulset/agent", "--type=json", `--patch=${JSON.stringify(patch)}`, manager]);
}

/** A status that is written meanwhile may move the entry. */
async function giveBack(admin: Kubectl): Promise<void> {
  await until("the field is given back", 10_000, async () => {
    const found = await admin(["get", "statefulset/agent", "--show-managed-fields", "--output=json"]);
    const { metadata } = JSON.parse(found) as { readonly metadata: { readonly managedFields: readonly { manager: string }[] } };
    const path = `/metadata/managedFields/${metadata.managedFields.findIndex((entry) => entry.manager === "svc-kube-updater")}`;
    const patch = [
      { op: "test", path: `${path}/manager`, value: "svc-kube-updater" },
      { op: "remove", path },
    ];
    return admin(["patch", "statefulset/agent", "--type=json", `--patch=${JSON.stringify(patch)}`, manager]).catch(
      () => undefined,
    );
  });
}

async function remember(admin: Kubectl, turn: number, more: object = {}): Promise<void> {
  await admin(["apply", "--server-side", "--filename=-", manager], {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "statefulset-agent-updater" },
    data: { status: "version: 15.4.6\n", record: JSON.stringify({ turn, ...more }) },
  });
}

const manager = "--field-manager=svc-kube-updater";

function seen(admin: Kubectl, object: string, path: string): Promise<string> {
  return admin(["get", object, `--output=jsonpath=${path}`]);
}

function image(admin: Kubectl): Promise<string> {
  return seen(admin, "statefulset/agent", '{.spec.template.spec.containers[?(@.name=="svc")].image}');
}

function generation(admin: Kubectl): Promise<string> {
  return seen(admin, "statefulset/agent", "{.metadata.generation}");
}

function recorded(admin: Kubectl): Promise<string> {
  return seen(admin, "configmap/statefulset-agent-updater", "{.data.record}");
}

/** What a wiped record is known by. */
function turnIn(admin: Kubectl): Promise<string> {
  return seen(admin, "configmap/statefulset-agent-updater", "{.metadata.annotations.svc\\.dev/turn}");
}

function as({ namespace }: Stage, account: string): readonly string[] {
  return [`--as=system:serviceaccount:${namespace}:${account}`];
}

/** As the document has them. */
function documented(account: string, block = "chart-rights"): readonly string[] {
  const rows = blockIn(block).matchAll(/^\| `(\S+)` \| `(\S+)` \| (?:`(\S+)`)? *\| `([a-z ]+)` \|/gm);
  return [...rows].flatMap(([, who, resource, name = "", verbs]) =>
    who === account ? [`${resource} [${name}] [${verbs}]`] : [],
  );
}

/** All rights of an account but those that every account has: `RESOURCE [NAMES] [VERBS]`. */
async function rights(stage: Stage, account: string): Promise<readonly string[]> {
  const listed = await stage.admin(["auth", "can-i", "--list", "--no-headers", ...as(stage, account)]);
  const rows = listed.split("\n").filter((row) => row !== "" && !row.startsWith(" ") && !row.startsWith("self"));
  return rows
    .map((row) =>
      row
        .replace(/ +\[\] +/, " ")
        .replaceAll(/ {2,}/g, " ")
        .trim(),
    )
    .toSorted();
}
