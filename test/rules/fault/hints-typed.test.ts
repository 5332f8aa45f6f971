import { describe, expect, test } from "vitest";
import { commandsIn } from "../../../src/rules/fault/commands.ts";
import { faultTable } from "../../../src/rules/fault/table.ts";
import { lifts } from "../../../src/updater/plan/host-lifts.ts";
import { stayReasons } from "../../../src/updater/plan/host-reasons.ts";
import { faults } from "../../updater/sentences/faults.ts";
import { notStaged, rows } from "../../system/hints/rows.ts";

describe("every fault and every reason to stay", () => {
  test.each([...Object.keys(faultTable), ...Object.keys(stayReasons)])(
    "has its hint typed on a host, or says why not: %s",
    (code) => {
      const times = rows.filter(({ of }) => of === code).length;
      expect([times, Object.hasOwn(notStaged, code)]).toEqual(times === 0 ? [0, true] : [1, false]);
    },
  );

  test("is there for each row", () => {
    const known = [...Object.keys(faultTable), ...Object.keys(stayReasons)];
    expect([...rows.map(({ of }) => of), ...Object.keys(notStaged)].filter((code) => !known.includes(code))).toEqual([]);
  });
});

/** What begins a command in a sentence of ours; a name alone is none. */
const command =
  /(?<![\w/.-])(?:sudo |sudoedit |(?:systemctl|journalctl|apt-get|apt-cache|apt-mark|dpkg|dnf|rpm|zypper|df|ls|mv|chown|chmod|namei|findmnt|umount|curl|openssl|getent) -?[a-z-]|svc-upgrade (?:run|hold|unhold|retry|rollback|enroll|unenroll|status|doctor|dry-run|schedule|route|config)\b)/;

const unquoted = (sentence: string): string =>
  sentence
    .split("`")
    .filter((_part, index) => index % 2 === 0)
    .join("``");

describe("a command within a sentence stands between backquotes", () => {
  test.each([
    ...Object.entries(faultTable).map(([code, { remedy }]) => [code, remedy] as const),
    ...Object.entries(stayReasons).map(([code, { ends }]) => [code, ends] as const),
  ])("of what the table says of %s", (_code, sentence) => {
    expect(unquoted(sentence)).not.toMatch(command);
  });

  test.each(Object.entries(lifts))("of what lifts a stay by: %s", (_lift, sentence) => {
    // One that is a command as a whole needs none.
    const isCommand = /^svc-upgrade [a-z -]+$/.test(sentence);
    expect(isCommand ? "" : unquoted(sentence)).not.toMatch(command);
  });

  test.each(Object.entries(faults))("of what is told of the fault %s", (_code, sentence) => {
    expect(unquoted(sentence.replace(/^.*?; /, ""))).not.toMatch(command);
  });

  test("and is found there", () => {
    expect(commandsIn(faultTable["package-absent"].remedy)).toEqual(["svc-upgrade run --now --install"]);
  });
});
