import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { judge } from "../../../src/cluster/access/judge.ts";
import { beyondOf } from "../../../src/rules/shape/unknown-keys.ts";
import {
  readResource,
  resourceKinds,
  storedResource,
  writeResource,
  type Resource,
} from "../../../src/cluster/resource/resource.ts";
import { withoutEffectIn } from "../../../src/cluster/resource/role.ts";
import { roleOf } from "../../../src/cluster/resource/rules.ts";

const role = {
  kind: "role",
  version: "v7",
  metadata: { name: "cmc-editor" },
  spec: {
    allow: { rules: [{ resources: ["cluster_maintenance_config"], verbs: ["create", "read", "update", "delete"] }] },
  },
};
const kinds = "role, user, cluster_maintenance_config, github, saml, oidc or rollout";
const window = {
  kind: "cluster_maintenance_config",
  spec: { agent_upgrades: { utc_start_hour: 3, weekdays: ["Sun", "wednesday"] } },
};
const github = {
  kind: "github",
  version: "v3",
  metadata: { name: "github" },
  spec: {
    client_id: "a",
    client_secret: "b",
    redirect_url: "https://proxy.example.com/v1/webapi/github/callback",
    teams_to_roles: [{ organization: "acme", team: "ops", roles: ["editor"] }],
  },
};

function read(raw: unknown): Resource {
  const reading = readResource(raw);
  if (reading.kind === "refused") throw new Error(JSON.stringify(reading.refusals));
  return reading.value;
}

function stored(raw: unknown): Resource {
  const reading = storedResource(raw);
  if (reading.kind === "unreadable") throw new Error(reading.why);
  return reading.value;
}

function told(raw: unknown): readonly string[] {
  const reading = readResource(raw);
  return reading.kind === "value" ? [] : reading.refusals.map(({ at, found, allowed }) => `${at}: ${found} (${allowed})`);
}

describe("a resource is read", () => {
  test("a role, whose rules are then judged", () => {
    const one = read(role);
    if (one.kind !== "role") throw new Error(one.kind);
    expect(judge([roleOf(one)], { kind: "cluster_maintenance_config", verb: "update" })).toEqual({
      kind: "allowed",
      by: "cmc-editor",
    });
    expect(writeResource(one)).toEqual(role);
  });

  test("a maintenance configuration without what goes without saying, which is written", () => {
    expect(writeResource(read(window))).toEqual({
      kind: "cluster_maintenance_config",
      version: "v1",
      metadata: { name: "cluster-maintenance-config" },
      spec: { agent_upgrades: { utc_start_hour: 3, weekdays: ["Sun", "Wed"] } },
    });
  });

  test("with channels and blackouts of its own", () => {
    const agent_upgrades = {
      utc_start_hour: 0,
      channels: { "stable/cloud": { utc_start_hour: 23, weekdays: ["Mon"] } },
      blackouts: [{ from: "2026-12-24T00:00:00+01:00", to: "2027-01-02T00:00:00Z", reason: "the year's end" }],
    };
    expect(writeResource(read({ ...window, spec: { agent_upgrades } }))["spec"]).toEqual({
      agent_upgrades: { ...agent_upgrades, blackouts: [{ ...agent_upgrades.blackouts[0], from: "2026-12-23T23:00:00Z" }] },
    });
  });

  test("a connector keeps what nobody here reads", () => {
    expect(writeResource(read(github))).toEqual(github);
  });

  test("a role from elsewhere keeps what has no effect here", () => {
    const elsewhere = {
      kind: "role",
      version: "v6",
      metadata: { name: "r", description: "for the night shift" },
      spec: {
        allow: { ...role.spec.allow, logins: ["root"], node_labels: { "*": "*" }, kubernetes_groups: ["viewers"] },
        deny: { logins: ["guest"] },
        options: { max_session_ttl: "8h" },
      },
    };
    const { metadata, spec } = elsewhere;
    const allow = { ...spec.allow, node_labels: { "*": ["*"] } };
    expect(writeResource(read(elsewhere))).toEqual({ kind: "role", version: "v7", metadata, spec: { ...spec, allow } });
    expect(withoutEffectIn(spec)).toEqual(["allow.kubernetes_groups", "options"]);
    expect(withoutEffectIn(undefined)).toEqual([]);
    const logins = ["root", "{{user}}"];
    expect(withoutEffectIn({ allow: { logins, node_labels: { "*": ["*"], env: "prod" } }, deny: { logins } })).toEqual([]);
    expect(withoutEffectIn({ allow: { logins }, deny: { node_labels: { "host/env": "prod", "*": "prod" } } })).toEqual([
      "deny.node_labels host/env",
      "deny.node_labels *",
      "allow.logins without allow.node_labels",
    ]);
    expect(withoutEffectIn({ deny: { logins: ["{{external.logins}}"] } })).toEqual(["deny.logins {{external.logins}}"]);
    expect(writeResource(read({ ...role, version: undefined }))).toEqual(role);
  });

  test("with the revision that was read", () => {
    expect(read({ ...role, metadata: { name: "r", revision: "17" } }).metadata).toEqual({ name: "r", revision: "17" });
  });

  test("what a later release stored is kept, at every level, and its words too", () => {
    const later = {
      ...role,
      metadata: { name: "r", labels: { a: "b" } },
      later: 1,
      spec: {
        allow: { rules: [{ resources: ["starship"], verbs: ["launch"], where: "x" }], impersonate: {} },
        deny: {},
        options: { ttl: 1 },
      },
    };
    expect(writeResource(stored(later))).toEqual({ ...later, spec: { ...later.spec, deny: undefined } });
  });
});

test.each([
  [{ logins: ["Root"] }, '.spec.allow.logins[0]: "Root" (the name of an account, for example root, or {{user}})'],
  [{ logins: "root" }, '.spec.allow.logins: "root" (a list of the name of an account, for example root, or {{user}})'],
  [{ node_labels: { env: 7 } }, ".spec.allow.node_labels.env: 7 (a value, a list of values, or * for any)"],
  [{ node_labels: { env: [] } }, ".spec.allow.node_labels.env: a list (a value, a list of values, or * for any)"],
])("a role with %o is refused", (allow, fault) => {
  expect(told({ ...role, spec: { allow } })).toEqual([fault]);
});

describe("all that is wrong is told at once", () => {
  test.each<[string, unknown, readonly string[]]>([
    ["no mapping", [], [": a list (a mapping of kind, version, metadata, spec)"]],
    ["no kind", {}, [`.kind: nothing (${kinds})`]],
    ["a kind that is nearly one", { kind: "rol" }, [`.kind: "rol", did you mean role? (${kinds})`]],
    ["a kind with the name of what every object has", { kind: "toString" }, [`.kind: "toString" (${kinds})`]],
    [
      "a role of another version, without a name, with a slip and an unknown verb",
      {
        kind: "role",
        version: "v8",
        metadata: {},
        spec: { alow: {}, deny: { rules: [{ resources: ["roles"], verbs: ["reads", 7] }] } },
      },
      [
        '.version: "v8" (v7, v6, v5, v4 or v3)',
        ".metadata.name: nothing (letters, digits and . _ @ + -, at most 128, beginning with a letter or digit)",
        ".spec.alow: unknown key, did you mean allow? (allow, deny, options)",
        '.spec.deny.rules[0].resources[0]: "roles", did you mean role? (role, user, token, cluster_maintenance_config, github, saml, oidc, rollout, instance, session, audit, ca or *)',
        '.spec.deny.rules[0].verbs[0]: "reads", did you mean read? (create, read, update, delete, list, secrets, escalate or *)',
        ".spec.deny.rules[0].verbs[1]: 7 (create, read, update, delete, list, secrets, escalate or *)",
      ],
    ],
    [
      "a slip in a key that has to be there, told once",
      { ...role, kind: "cluster_maintenance_config", version: "v1", metadata: {}, spec: { agent_upgrades: { start_hour: 3 } } },
      [
        ".spec.agent_upgrades.start_hour: unknown key, did you mean utc_start_hour? (utc_start_hour, weekdays, channels, blackouts)",
      ],
    ],
    [
      "a name that a terminal would obey",
      { ...role, metadata: { name: "a\u001b[2J" } },
      ['.metadata.name: "a [2J" (letters, digits and . _ @ + -, at most 128, beginning with a letter or digit)'],
    ],
    ["no spec", { kind: "user", metadata: { name: "ada" } }, [".spec: nothing (a mapping of roles)"]],
    [
      "a window of another name, at 24, on a day that is none",
      { ...window, metadata: { name: "mine" }, spec: { agent_upgrades: { utc_start_hour: 24, weekdays: ["Someday"] } } },
      [
        ".spec.agent_upgrades.utc_start_hour: 24 (a whole number from 0 to 23, in UTC)",
        '.spec.agent_upgrades.weekdays[0]: "Someday" (an English weekday, short or long, for example Tue)',
        '.metadata.name: "mine" (cluster-maintenance-config)',
      ],
    ],
    [
      "a blackout that ends before it begins, and one without an offset",
      {
        ...window,
        spec: {
          agent_upgrades: {
            utc_start_hour: 1,
            blackouts: [
              { from: "2026-12-24T00:00:00Z", to: "2026-12-24T00:00:00Z" },
              { from: "2026-12-24", to: "2026-12-25T00:00:00" },
            ],
          },
        },
      },
      [
        ".spec.agent_upgrades.blackouts[0].to: 2026-12-24T00:00:00Z (a time after from, 2026-12-24T00:00:00Z)",
        '.spec.agent_upgrades.blackouts[1].from: "2026-12-24" (a time with its offset, for example 2026-12-24T18:00:00Z)',
        '.spec.agent_upgrades.blackouts[1].to: "2026-12-25T00:00:00" (a time with its offset, for example 2026-12-24T18:00:00Z)',
      ],
    ],
    [
      "a channel's window under a name that is no channel",
      {
        ...window,
        spec: { agent_upgrades: { utc_start_hour: 1, channels: { "../x": { utc_start_hour: 1 }, ok: { utc_start_hour: -1 } } } },
      },
      [
        expect.stringMatching(/^\.spec\.agent_upgrades\.channels: the name "\.\.\/x" \(/) as string,
        ".spec.agent_upgrades.channels.ok.utc_start_hour: -1 (a whole number from 0 to 23, in UTC)",
      ],
    ],
    [
      "texts where mappings and words belong",
      { ...window, spec: { agent_upgrades: { utc_start_hour: 1, channels: "all" } } },
      [
        expect.stringMatching(
          /^\.spec\.agent_upgrades\.channels: "all" \(a mapping of names to a mapping of utc_start_hour, weekdays\)$/,
        ) as string,
      ],
    ],
    [
      "a word that is nearly none",
      { ...role, spec: { deny: { rules: [{ resources: ["zzz"], verbs: [""] }] } } },
      [
        expect.stringMatching(/resources\[0\]: "zzz" \(role/) as string,
        expect.stringMatching(/verbs\[0\]: "" \(create/) as string,
      ],
    ],
    [
      "a mapping to roles without roles",
      { ...github, spec: { ...github.spec, teams_to_roles: [{ organization: "acme", team: "ops" }] } },
      [
        ".spec.teams_to_roles[0].roles: nothing (a list of letters, digits and . _ @ + -, at most 128, beginning with a letter or digit)",
      ],
    ],
    [
      "more roles than anybody needs",
      { kind: "user", metadata: { name: "a" }, spec: { roles: Array.from({ length: 65 }, () => "r") } },
      [".spec.roles: a list of 65 (at most 64)"],
    ],
  ])("%s", (_title, raw, faults) => {
    expect(told(raw)).toEqual(faults);
  });

  test("what nobody knows is a slip in a file, and a later release's in the store", () => {
    const odd = { ...role, spec: { ...role.spec, starship: {} } };
    expect(told(odd)).toEqual([".spec.starship: unknown key (allow, deny, options)"]);
    expect(beyondOf(stored(odd).spec)).toEqual({ starship: {} });
    expect(() => stored({ ...role, spec: { allow: { rules: [{ resources: [""], verbs: [] }] } } })).toThrow("not a word");
    expect(() => stored({ kind: "later" })).toThrow("kind is not a word known here");
  });
});

test("what was meant is looked for in the first faults of a file, and no more in the thousandth", () => {
  const rule = { resources: ["user"], verbs: ["read"], ressources: 1, verb: 1 };
  const inRules = told({ ...role, spec: { allow: { rules: Array.from({ length: 60 }, () => rule) } } });
  const keys = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`spec${index}`, 1]));
  for (const [faults, count] of [
    [inRules, 120],
    [told({ ...role, ...keys }), 1000],
  ] as const) {
    expect(faults).toHaveLength(count);
    const meant = faults.filter((fault) => fault.includes("did you mean"));
    expect(meant).toStrictEqual(faults.slice(0, meant.length));
    expect(meant.length).toBeLessThan(60);
  }
});

const line = fc.stringMatching(/^[a-z][a-z0-9 .]{0,20}[a-z]$/);
const name = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._@+-]{0,30}$/);
const words = (...all: string[]): fc.Arbitrary<string[]> => fc.array(fc.constantFrom(...all), { maxLength: 4 });
const side = fc.record({
  rules: fc.array(fc.record({ resources: words("role", "user", "*"), verbs: words("read", "secrets", "*") }), { maxLength: 3 }),
});
const specs = {
  role: fc.record({ allow: side, deny: side }),
  user: fc.record({ roles: fc.array(name, { maxLength: 5 }) }),
  cluster_maintenance_config: fc.record({
    agent_upgrades: fc.record({ utc_start_hour: fc.integer({ min: 0, max: 23 }), weekdays: words("Mon", "saturday", "SUN") }),
  }),
  github: fc.record(
    {
      client_id: line,
      client_secret: line,
      redirect_url: fc.constant("https://proxy.example.com/v1/webapi/github/callback"),
      display: line,
      endpoint_url: fc.constant("https://github.example.com"),
      api_endpoint_url: fc.constant("https://api.github.example.com"),
      teams_to_roles: fc.array(fc.record({ organization: line, team: line, roles: fc.array(name) }), { maxLength: 3 }),
      other: fc.jsonValue(),
    },
    { requiredKeys: ["client_id", "redirect_url", "teams_to_roles"] },
  ),
  saml: fc.record(
    {
      acs: fc.constantFrom("https://proxy.example.com/v1/webapi/saml/acs", "https://proxy.example.com/v1/webapi/saml/acs/corp"),
      issuer: line,
      sso: fc.constant("https://idp.example.com/sso?tenant=1"),
      cert: fc.constant("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"),
      entity_descriptor: fc.constant("<EntityDescriptor/>"),
      entity_descriptor_url: fc.constant("https://idp.example.com/metadata?tenant=1"),
      audience: line,
      service_provider_issuer: line,
      display: line,
      signing_key_pair: fc.record({ cert: line, private_key: line, other: fc.jsonValue() }),
      attributes_to_roles: fc.array(fc.record({ name: line, value: line, roles: fc.array(name) }), { maxLength: 3 }),
      provider: fc.jsonValue(),
    },
    { requiredKeys: ["acs", "entity_descriptor", "attributes_to_roles"] },
  ),
  rollout: fc.record(
    {
      channel: fc.constantFrom("default", "stable/cloud"),
      target: fc.constantFrom("v15.4.6", "16.0.0-rc.1"),
      stages: fc.constantFrom(
        [{ name: "all", select: "others" }],
        [
          { name: "canary", select: { labels: { env: "canary", "host/rack": "*" } }, soak: "1h", at_once: 3 },
          { name: "few", select: { percent: 2.5 }, at_once: "50%" },
          { name: "rest", select: "others", soak: "90s" },
        ],
      ),
      halt: fc.record({
        failed: fc.constantFrom(1, "1.5%"),
        silent: fc.constantFrom(3, "100%"),
        at_least: fc.integer({ min: 1, max: 9 }),
      }),
      done: fc.constantFrom("90%", "100%"),
      prove: fc.constantFrom("10m", "1d"),
    },
    { requiredKeys: ["channel", "target", "stages"] },
  ),
  oidc: fc.record(
    {
      issuer_url: fc.constant("https://idp.example.com/"),
      client_id: line,
      client_secret: line,
      redirect_url: fc.constant("https://proxy.example.com/v1/webapi/oidc/callback"),
      display: line,
      scope: fc.array(line, { maxLength: 3 }),
      prompt: line,
      max_age: fc.nat(1000),
      username_claim: line,
      allow_unverified_email: fc.boolean(),
      claims_to_roles: fc.array(
        fc.oneof(
          fc.record({ name: line, value: line, roles: fc.array(name) }),
          fc.record({ claim: line, value: line, roles: fc.array(name) }),
        ),
        { maxLength: 3 },
      ),
      acr_values: fc.jsonValue(),
    },
    { requiredKeys: ["issuer_url", "client_id", "redirect_url", "claims_to_roles"] },
  ),
};

test.each(resourceKinds.map((kind) => [kind]))(
  "what is written of a %s is read as the same, from a file and from the store",
  (kind) => {
    fc.assert(
      fc.property(specs[kind], name, (spec, called) => {
        const metadata = kind === "cluster_maintenance_config" ? undefined : { name: called };
        const one = read({ kind, metadata, spec });
        for (const again of [read, stored]) expect(again(writeResource(one))).toEqual(one);
      }),
    );
  },
);

test("whatever is in a file, it is read or refused with words", () => {
  const kind = fc.constantFrom(...resourceKinds);
  fc.assert(
    fc.property(fc.jsonValue(), fc.option(kind), (raw, called) => {
      const reading = readResource(called === null ? raw : { kind: called, metadata: raw, spec: raw });
      if (reading.kind === "refused") {
        expect(reading.refusals.length).toBeGreaterThan(0);
        for (const { found, allowed } of reading.refusals) expect(`${found}${allowed}`).not.toContain("undefined");
      }
    }),
  );
});
