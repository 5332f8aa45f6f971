import { describe, expect, test } from "vitest";
import { decodeEvent, encodeEvent, longestEventBytes, type NotifyEvent } from "../../../src/updater/record/event.ts";
import { now } from "./given.ts";

const event: NotifyEvent = {
  id: "0".repeat(32),
  at: now,
  host: "h",
  kind: "test",
  told: "this is a test",
  next: undefined,
  package: "svc-ent",
  channel: "default",
  move: undefined,
  fault: undefined,
};
const text = encodeEvent(event);

describe("an event", () => {
  test("comes back as it was, up to the longest that is read", () => {
    expect(decodeEvent(text)).toEqual({ kind: "read", value: event });
    expect(decodeEvent(text.padEnd(longestEventBytes))).toEqual({ kind: "read", value: event });
  });

  test.each([
    ["longer than that", text.padEnd(longestEventBytes + 1), "it is longer than 10240 bytes"],
    ["with a shorter id", text.replace(event.id, "a".repeat(31)), "id is not 32 hexadecimal digits"],
    ["with an id of other characters", text.replace(event.id, "g".repeat(32)), "id is not 32 hexadecimal digits"],
  ])("is unreadable %s", (_title, found, why) => {
    expect(decodeEvent(found)).toEqual({ kind: "unreadable", why });
  });
});
