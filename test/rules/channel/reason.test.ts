import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { reasonIn } from "../../../src/rules/channel/reason.ts";

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

const text = "text/plain; charset=utf-8";
const json = "application/json";

describe("why a server refuses", () => {
  test.each([
    ["a line of text", "  we are moving house until 14:00 UTC\n", text, "we are moving house until 14:00 UTC"],
    ["a message", '{"message": "no such tenant"}', json, "no such tenant"],
    [
      "what svc-proxy says",
      '{"schema":1,"fault":{"code":"x","message":"there is no such channel"}}',
      json,
      "there is no such channel",
    ],
    [
      "the message of an error",
      '{"error": {"message": "no such tenant", "code": 7}}',
      "application/problem+json",
      "no such tenant",
    ],
    ["an error that is a text", '{"error": "no such tenant"}', "APPLICATION/JSON;charset=utf-8", "no such tenant"],
  ])("is %s", (_title, body, type, reason) => {
    expect(reasonIn(bytes(body), type)).toBe(reason);
  });

  test.each([
    ["a page", "<html>log in as ann</html>", "text/html"],
    ["a page that is called text", "<html>log in as ann</html>", text],
    ["a page in a message", '{"message": "<html>log in"}', json],
    ["several lines", "one\ntwo", text],
    ["several lines in a message", '{"message": "one\\ntwo"}', json],
    ["nothing", "  \n", text],
    ["an empty message", '{"message": ""}', json],
    ["what is no JSON", "{message", json],
    ["JSON without a message", '{"detail": "x"}', json],
    ["a message that is no text", '{"message": 5, "error": [1]}', json],
    ["null", "null", json],
    ["a list", '["x"]', json],
    ["another kind of text", "body{}", "text/css"],
    ["JSON that is called text/json5", '{"message": "x"}', "text/json5"],
  ])("is not told by %s", (_title, body, type) => {
    expect(reasonIn(bytes(body), type)).toBeUndefined();
  });

  test("is not told where nobody says what the body is, or it is no text at all", () => {
    expect(reasonIn(bytes("we are moving house"), undefined)).toBeUndefined();
    expect(reasonIn(Uint8Array.of(0xff, 0xfe), text)).toBeUndefined();
  });

  test("is one line, whatever the body", () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.constantFrom(text, json), (body, type) => {
        expect(reasonIn(body, type) ?? "").not.toMatch(/[\r\n]|^</);
      }),
    );
  });
});
