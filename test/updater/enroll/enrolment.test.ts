import fc from "fast-check";
import { readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  decodeEnrolment,
  encodeEnrolment,
  longestEnrolmentBytes,
  type Enrolment,
} from "../../../src/updater/enroll/enrolment.ts";
import { readEnrolment, saveEnrolment } from "../../../src/updater/enroll/enrolment-file.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";

const folder = scratchFolder();

const standing = fc.oneof(
  fc.constant({ kind: "absent" } as const),
  fc.record({ kind: fc.constant("present" as const), uid: fc.nat() }),
);
const enrolments: fc.Arbitrary<Enrolment> = fc.record({
  written: fc.array(fc.string({ maxLength: 4096 }), { maxLength: 2 }),
  agentUid: fc.nat(),
  schedule: fc.string({ maxLength: 1024 }),
  before: fc.record({ settings: standing, directory: standing, schedule: standing }),
});

const absent = { kind: "absent" } as const;
const one: Enrolment = {
  written: ["a"],
  agentUid: 7,
  schedule: "/etc/svc-upgrade.d/schedule",
  before: { settings: absent, directory: absent, schedule: absent },
};

function altered(change: object): string {
  return JSON.stringify({ ...(JSON.parse(encodeEnrolment(one)) as object), ...change });
}

describe("the record of an enrolment", () => {
  test("gives back what was written, and fits its file", () => {
    fc.assert(
      fc.property(enrolments, (enrolment) => {
        const text = encodeEnrolment(enrolment);
        expect(decodeEnrolment(text)).toEqual({ kind: "read", value: enrolment });
        expect(Buffer.byteLength(text)).toBeLessThan(longestEnrolmentBytes);
      }),
    );
  });

  test("says which schedule was given only where it is another one than earlier releases know", () => {
    expect(encodeEnrolment(one)).not.toContain("svc-upgrade.d");
    expect(decodeEnrolment(encodeEnrolment(one))).toEqual({ kind: "read", value: one });
    const other = { ...one, schedule: "/var/lib/acme/upgrade/schedule" };
    expect(decodeEnrolment(encodeEnrolment(other))).toEqual({ kind: "read", value: other });
  });

  test.each([
    ["no JSON", "{", "it is not JSON"],
    ["another schema", altered({ schema: 2 }), "schema is not 1"],
    ["a user by name", altered({ agentUid: "svc" }), "agentUid is not a whole number from 0 to 9007199254740991"],
    ["three texts", altered({ written: ["a", "b", "c"] }), "written is not a list of at most 2"],
    [
      "a text that no fragment is",
      altered({ written: ["a".repeat(4097)] }),
      "written[0] is not a text of at most 4096 characters",
    ],
    ["no before", altered({ before: {} }), "before.settings is not an object"],
  ])("is unreadable with %s", (_title, text, why) => {
    expect(decodeEnrolment(text)).toEqual({ kind: "unreadable", why });
  });

  test("may hold keys of a newer version", () => {
    expect(decodeEnrolment(altered({ since: 1 }))).toEqual({ kind: "read", value: one });
  });

  test("is readable by everyone, and not written again when it stands there already", () => {
    const path = `${folder}/enrolment.json`;
    saveEnrolment({ root: "/", enrolment: path }, one);
    const { ino, mode } = statSync(path);
    expect(mode & 0o777).toBe(0o644);
    saveEnrolment({ root: "/", enrolment: path }, one);
    expect(statSync(path).ino).toBe(ino);
    expect(readEnrolment(path)).toEqual(one);
    saveEnrolment({ root: "/", enrolment: path }, undefined);
    expect(readEnrolment(path)).toBeUndefined();
  });

  test("that cannot be used is a fault and stays as it is", () => {
    const path = `${folder}/broken`;
    writeFileSync(path, "{");
    symlinkSync("broken", `${folder}/link`);
    expect(() => readEnrolment(path)).toThrow(`${path}, which says what enroll did here, cannot be used: it is not JSON`);
    expect(() => readEnrolment(`${folder}/link`)).toThrow("cannot be used: it is a symbolic link");
    expect(readFileSync(path, "utf8")).toBe("{");
  });
});
