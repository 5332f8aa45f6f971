import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { kubeUpdater } from "../../../packaging/products/kube-updater.ts";
import { products } from "../../../packaging/products/products.ts";
import { updater } from "../../../packaging/products/updater.ts";
import { schemaFiles, schemaOf } from "../../../packaging/schemas/schemas.ts";
import { faultTable } from "../../../src/rules/fault/table.ts";
import { moveReasons, stayReasons } from "../../../src/updater/plan/host-reasons.ts";
import { settingKeys } from "../../../src/rules/settings/schema.ts";
import { complaints, documentedKeys, keysOf, wordsAt } from "./documented.ts";
import { waysToEveryKey } from "./every-answer.ts";
import { missingForRoots, program, versionsWithPackages } from "./given.ts";

const missing = missingForRoots();

const versions = await versionsWithPackages();

/** An enrolment enables a timer, below another root too. */
const lacks = (name: string): boolean => name === "enroll" && spawnSync("systemctl", ["--version"]).error !== undefined;
if (lacks("enroll")) console.warn("SKIPPED: the schema of enroll against what the program answers: systemctl not installed");

/** Keys that only a booted host's answers have: test/system/shipped.test.ts sees them, and test/system/notify.test.ts those of a notification. */
const onBootedHosts: Readonly<Record<string, RegExp>> = { status: /^(?:agent|timer)\b/, notify: /^/ };

describe.skipIf(missing !== undefined)("the schema of", () => {
  // The event is no answer of a command: what is sent is held against its schema where it is sent.
  test.for(Object.keys(updater.answers).filter((name) => name !== "event"))(
    "%s allows what the program answers, and documents every key and no other",
    async (name, { skip }) => {
      if (lacks(name)) skip();
      const seen = new Set<string>();
      await waysToEveryKey(versions)[name]?.(async (root, ...args) => {
        const { stdout, stderr } = await program([...args, "--json", "--root", root.path]);
        expect(stdout, `${args.join(" ")}: ${stderr}`).toMatch(/^\{.*\}\n$/);
        const said: unknown = JSON.parse(stdout);
        expect([args.join(" "), stdout, ...complaints(name, said)]).toEqual([args.join(" "), stdout]);
        for (const key of keysOf(said)) seen.add(key);
      });
      const unseen = [...documentedKeys(schemaOf(updater, name))].filter((key) => !seen.has(key));
      expect(unseen.filter((key) => !onBootedHosts[name]?.test(key))).toEqual([]);
    },
  );
});

describe.each([...products, kubeUpdater])("the schemas of $program", (product) => {
  test("are there for every command that answers", () => {
    const answered = Object.values(product.answers).flatMap(({ commands }) => commands);
    const answering = product.commands.filter(({ options }) => options.some(({ flag }) => flag === "--json"));
    expect(answered.toSorted()).toEqual([...answering.map(({ name }) => name), "every command"].toSorted());
  });

  test("describe every key", () => {
    for (const schema of Object.values(schemaFiles(product))) {
      const text = JSON.stringify(schema);
      const shapes: unknown[] = [];
      JSON.parse(text, (_key, value: unknown) => {
        shapes.push(value);
        return value;
      });
      for (const shape of shapes) {
        const { properties = {} } = (shape ?? {}) as { properties?: Record<string, { description?: string }> };
        for (const [key, { description }] of Object.entries(properties))
          expect([key, description]).toEqual([key, expect.any(String)]);
      }
      // What a later version adds must not make a consumer of today fail.
      expect(text).not.toContain("additionalProperties");
    }
  });
});

describe("the schemas", () => {
  test.each([
    ["fault", "fault.code", Object.keys(faultTable)],
    ["answer", "decision.why", [...Object.keys(stayReasons), ...Object.keys(moveReasons)]],
    ["config", "settings[].key", settingKeys],
  ])("of %s has for %s the words that the code has", (name, key, words) => {
    expect(wordsAt(schemaOf(updater, name), key).toSorted()).toEqual([...words].toSorted());
  });

  test("refuse an answer that lacks a key, has another, or says an unknown word", () => {
    const fault = { code: "busy", message: "another pass is running", hint: "wait" };
    expect(complaints("fault", { schema: 1, fault })).toEqual([]);
    expect(complaints("fault", { schema: 2, fault })).not.toEqual([]);
    expect(complaints("fault", { schema: 1, fault: { ...fault, cause: "x" } })).not.toEqual([]);
    expect(complaints("fault", { schema: 1, fault: { ...fault, code: "tired" } })).not.toEqual([]);
    expect(complaints("fault", { schema: 1 })).not.toEqual([]);
  });
});
