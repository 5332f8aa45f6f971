import { readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { decodeEnrolment, encodeEnrolment, type Enrolment } from "../../../src/updater/enroll/enrolment.ts";
import { readEnrolment, saveEnrolment } from "../../../src/updater/enroll/enrolment-file.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";

const folder = scratchFolder();

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
  test("says which schedule was given only where it is another one than earlier releases know", () => {
    expect(encodeEnrolment(one)).not.toContain("svc-upgrade.d");
    expect(decodeEnrolment(encodeEnrolment(one))).toEqual({ kind: "read", value: one });
    const other = { ...one, schedule: "/var/lib/acme/upgrade/schedule" };
    expect(decodeEnrolment(encodeEnrolment(other))).toEqual({ kind: "read", value: other });
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
