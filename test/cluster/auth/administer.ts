import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { main } from "../../../src/cluster/tctl/main.ts";
import { said, type Said } from "../tsh/running.ts";
import type { WithPeople } from "./people.ts";

/** The address that a program prints for a browser. */
export function addressIn(text: string): string | undefined {
  return /https:\/\/\S+\/web\/sign-in\/[0-9a-f]{32}/.exec(text)?.[0];
}

/** Types `tctl` as the person who signed in last at this home; `browsing` opens the address that it prints. */
export async function administer(
  home: string,
  argv: readonly string[],
  browsing: (url: string) => Promise<unknown> = () => Promise.resolve(),
): Promise<Said> {
  let [out, error] = ["", ""];
  let visited: Promise<unknown> | undefined;
  const status = await main({
    argv,
    environment: { HOME: home },
    out: (text) => void (out += text),
    error: (text) => {
      error += text;
      const url = addressIn(text);
      if (url !== undefined) visited ??= browsing(url);
    },
    isTerminal: false,
    stopping: new AbortController().signal,
  });
  await visited;
  return { status, out, error };
}

/** What a person sees who has the added role. */
export const withAddedRole = /\nroles +editor,connector-keeper,auditor\n/;

const keeper = "connector-keeper";

/** The first row of a mapping, whose people may read its secrets. */
export const keepingRoles: readonly string[] = ["editor", keeper];

export async function allowKeeping({ ask }: Pick<WithPeople, "ask">): Promise<void> {
  const spec = { allow: { rules: [{ resources: ["github", "oidc", "saml"], verbs: ["secrets"] }] } };
  await ask("ResourceService/UpsertResource", { resource: { kind: "role", version: "v7", metadata: { name: keeper }, spec } });
}

type Adding = {
  readonly home: string;
  /** KIND/NAME. */
  readonly connector: string;
  readonly secret: string;
  readonly signIn: () => Promise<Said>;
};

/** Spec 5.4 as it is typed: fetch with the secrets, add the role to the row, apply, sign out and in. Returns what the last sign-in says. */
export async function addRoleToMapping({ home, connector, secret, signIn }: Adding): Promise<string> {
  expect((await signIn()).status).toBe(0);
  const fetched = await administer(home, ["get", connector, "--with-secrets"]);
  expect([fetched.status, fetched.error]).toEqual([0, expect.stringContaining("delete the file")]);
  expect(fetched.out).toContain(secret);
  const file = join(home, "connector.yaml");
  const added = fetched.out.replace(new RegExp(`^( *)- ${keeper}\n`, "m"), `$1- ${keeper}\n$1- auditor\n`);
  writeFileSync(file, added);
  const created = await administer(home, ["create", "-f", file]);
  expect([created.status, created.error]).toEqual([0, ""]);
  expect((await said(["logout"], { home })).status).toBe(0);
  return (await signIn()).out;
}
