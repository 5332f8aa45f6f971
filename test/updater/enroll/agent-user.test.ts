import { describe, expect, test } from "vitest";
import { findAgentUser, type AskedUser } from "../../../src/updater/enroll/agent-user.ts";
import type { EnrollScope } from "../../../src/updater/enroll/scope.ts";
import type { CommandResult } from "../../../src/machine/processes/command.ts";
import { pathsBelow } from "../../../src/machine/files/paths.ts";
import type { UnitName } from "../../../src/rules/settings/settings.ts";

const accounts = ["root:x:0:0", "svc:x:997:997", "old:x:998:998"];

/** A host with three users, where systemctl shows that of the agent's unit. */
function host(shown: { readonly load?: string; readonly user?: string; readonly dynamic?: string }): {
  readonly scope: EnrollScope;
  readonly said: string[];
} {
  const said: string[] = [];
  const ended = (stdout: string, status = 0): CommandResult => ({ kind: "exited", status, stdout, stderr: "" });
  const { load = "loaded", user = "", dynamic = "no" } = shown;
  const scope: EnrollScope = {
    paths: pathsBelow("/"),
    ownerUid: 0,
    units: "running",
    run: ({ argv }) => {
      if (argv[0] === "systemctl") return Promise.resolve(ended(`LoadState=${load}\nUser=${user}\nDynamicUser=${dynamic}\n`));
      const account = accounts.find((line) =>
        line
          .split(":")
          .slice(0, 3)
          .includes(argv.at(-1) ?? ""),
      );
      return Promise.resolve(account === undefined ? ended("", 2) : ended(`${account}::/:/bin/sh\n`));
    },
    log: (_level, sentence) => void said.push(sentence),
    stopping: new AbortController().signal,
    ask: () => Promise.reject(new Error("nobody is asked for a user")),
  };
  return { scope, said };
}

function asked(more: Partial<AskedUser> = {}): AskedUser {
  return { user: undefined, unit: "svc.service" as UnitName, earlierUid: undefined, ...more };
}

describe("the agent's user", () => {
  test.each([
    ["who was named by number", asked({ user: "997" }), {}, { name: "svc", uid: 997 }],
    ["who runs the unit", asked({ earlierUid: 998 }), { user: "svc" }, { name: "svc", uid: 997 }],
    ["who was named earlier", asked({ earlierUid: 998 }), {}, { name: "old", uid: 998 }],
    ["root, where who was named earlier is gone", asked({ earlierUid: 999 }), {}, { name: "root", uid: 0 }],
  ])("is %s", async (_title, wanted, shown, account) => {
    const { scope, said } = host(shown);
    expect(await findAgentUser(wanted, scope)).toEqual(account);
    expect(said).toEqual([]);
  });

  test("is said to be taken for root where the unit is not there yet", async () => {
    const { scope, said } = host({ load: "not-found" });
    expect(await findAgentUser(asked(), scope)).toEqual({ name: "root", uid: 0 });
    expect(said).toEqual([expect.stringContaining("who runs svc.service is not known, as it is not installed yet")]);
  });

  test("is the owner of a root that is not root's", async () => {
    const { scope } = host({});
    expect(await findAgentUser(asked(), { ...scope, ownerUid: 1000 })).toEqual({ name: "root", uid: 1000 });
  });

  test.each([
    [asked({ user: "nobody-here" }), {}, "usage", 'there is no user "nobody-here" on this host'],
    [asked(), { user: "ghost" }, "host-unsupported", "svc.service runs as ghost, and there is no such user"],
    [asked(), { user: "svc", dynamic: "yes" }, "host-unsupported", "DynamicUser=yes"],
  ])("that nothing can be given to is a fault: %j on a host with %j", async (wanted, shown, code, said) => {
    const found = findAgentUser(wanted, host(shown).scope);
    await expect(found).rejects.toMatchObject({ code, message: expect.stringContaining(said) });
  });
});
