import { describe, expect, test } from "vitest";
import { complaintsIn } from "../../../../src/updater/package/apt/complaints.ts";

/** As apt 2.6 prints it, when the plan is explained. */
const explained = `The following information may help to resolve the situation:

The following packages have unmet dependencies:
 svc-ent : Depends: svc-ent-bin (= 15.4.5) but 15.4.6 is to be installed
           Depends: svc-ent-libs (>= 15.4.5) but it is not going to be installed
           PreDepends: libold (< 2:1.0~) but it is not installable
 svc-ent-libs : Breaks: svc-ent (< 15.4.6) but 15.4.5 is to be installed
                Conflicts: libother:any
 tool:i386 : Depends: libc6:i386 (>= 2.36) but it is not going to be installed
             Recommends: manual but it is not installable
E: Unable to correct problems, you have held broken packages.
`;

describe("what apt complains of", () => {
  test("is each relation that is not met, with who needs or excludes what", () => {
    const needs = (requirer: string, name: string, order: string, version: string): object => {
      return { requirer, kind: "needs", name, relation: { order, version } };
    };
    expect(complaintsIn(explained)).toMatchObject([
      needs("svc-ent", "svc-ent-bin", "=", "15.4.5"),
      needs("svc-ent", "svc-ent-libs", ">=", "15.4.5"),
      needs("svc-ent", "libold", "<<", "2:1.0~"),
      { requirer: "svc-ent-libs", kind: "excludes", name: "svc-ent", relation: { order: "<<", version: "15.4.6" } },
      { requirer: "svc-ent-libs", kind: "excludes", name: "libother", relation: undefined },
      needs("tool", "libc6", ">=", "2.36"),
    ]);
    expect(complaintsIn(explained)[0]?.said).toBe(" svc-ent : Depends: svc-ent-bin (= 15.4.5) but 15.4.6 is to be installed");
  });
});
