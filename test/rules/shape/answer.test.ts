import { decodeValue } from "../../../src/rules/shape/read.ts";
import { schemaOf } from "../../../src/rules/shape/schema.ts";
import { encode } from "../../../src/rules/shape/write.ts";
import { describe, expect, test } from "vitest";
import { ofAnyRelease } from "../../../src/rules/shape/any-release.ts";
import {
  always,
  answer,
  instant,
  kindsOf,
  line,
  list,
  orNull,
  recordOf,
  sometimes,
  told,
} from "../../../src/rules/shape/answer.ts";
import { count, exactly, named, nothing, truth, words } from "../../../src/rules/shape/shape.ts";

type Day = { readonly at: number; readonly mood?: "calm" | "wild"; readonly guests: readonly string[]; readonly end: End };
type End = { readonly kind: "well" } | { readonly kind: "ill"; readonly why: string };

const moods = { calm: "nothing stirs", wild: "all does" };
const end = kindsOf<End>()({
  well: recordOf<{ kind: "well" }>("it went well")({ kind: always("well", exactly("well"), "kind") }),
  ill: recordOf<{ kind: "ill"; why: string }>()({
    kind: always("ill", exactly("ill"), "kind"),
    why: always("why", line, "why"),
  }),
});
const day = answer<Day>("what a day was like")({
  mood: sometimes("how it was", words(moods), "mood"),
  at: always("when", instant, "at"),
  calm: always("whether it was calm", truth, ({ mood }) => mood === "calm"),
  first: always("who came first", orNull(line), ({ guests }) => guests[0]),
  guests: always("who came", list(told("a name", line)), "guests"),
  many: always("how many", count, ({ guests }) => guests.length),
  seats: sometimes("where how many sit", named(count, { isName: () => true, name: "a seat", most: 9 }), () => undefined),
  end: always("how it ended", end, "end"),
});

describe("an answer for programs", () => {
  test("is written from what the program knows, and leaves out what has nothing to say", () => {
    expect(JSON.stringify(encode(day, { at: 0, guests: [], end: { kind: "ill", why: "rain" } }))).toBe(
      '{"schema":1,"at":"1970-01-01T00:00:00Z","calm":false,"first":null,"guests":[],"many":0,"end":{"kind":"ill","why":"rain"}}',
    );
    expect(encode(day, { at: 0, mood: "calm", guests: ["a"], end: { kind: "well" } })).toMatchObject({
      mood: "calm",
      calm: true,
      first: "a",
      end: { kind: "well" },
    });
  });

  test("has its schema from the same words", () => {
    expect(schemaOf(day)).toMatchObject({
      description: "what a day was like",
      type: "object",
      required: ["schema", "at", "calm", "first", "guests", "many", "end"],
      properties: {
        schema: { const: 1 },
        mood: { description: "how it was", oneOf: [{ const: "calm", description: "nothing stirs" }, { const: "wild" }] },
        at: { description: "when", type: "string", format: "date-time" },
        calm: { type: "boolean" },
        first: { description: "who came first", type: ["string", "null"] },
        guests: { type: "array", items: { description: "a name", type: "string" } },
        many: { type: "integer", minimum: 0 },
        seats: { type: "object", additionalProperties: { type: "integer", minimum: 0 } },
        end: { oneOf: [{ description: "it went well" }, { required: ["kind", "why"] }] },
      },
    });
  });

  test("may be of any release: then words and kinds that nobody knows yet are let pass", () => {
    const { properties } = schemaOf(ofAnyRelease(day)) as { properties: Record<string, { oneOf: readonly unknown[] }> };
    expect(properties["mood"]?.oneOf.at(-1)).toMatchObject({ type: "string", not: { enum: ["calm", "wild"] } });
    expect(properties["end"]?.oneOf.at(-1)).toMatchObject({
      type: "object",
      patternProperties: { "^kind$": { not: { enum: ["well", "ill"] } } },
    });
  });

  test("is shown, and neither read nor made of what no answer shows", () => {
    expect(() => decodeValue({}, day, "kept")).toThrow("an answer is shown, and not read");
    expect(() => decodeValue(null, orNull(line), "kept")).toThrow("an answer is shown, and not read");
    expect(() => schemaOf(nothing)).toThrow("no answer shows a nothing");
  });

  test("has its meanings without the documents' backquotes", () => {
    expect(schemaOf(words({ a: { meaning: "type `it`" } }))).toEqual({ oneOf: [{ const: "a", description: "type it" }] });
  });
});
