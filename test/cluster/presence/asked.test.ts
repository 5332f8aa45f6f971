import { expect, test } from "vitest";
import { readAuthServers, readPins } from "../../../src/cluster/presence/asked.ts";

const pin = `sha256:${"0a".repeat(32)}`;

test.each([
  ["auth.example.com:3026", [{ host: "auth.example.com", port: 3026 }]],
  ["auth.example.com", [{ host: "auth.example.com", port: 3025 }]],
  [
    "192.0.2.1:3025, [2001:db8::1]:443,",
    [
      { host: "192.0.2.1", port: 3025 },
      { host: "2001:db8::1", port: 443 },
    ],
  ],
])("--auth-server %s", (text, addresses) => {
  expect(readAuthServers(text)).toEqual(addresses);
});

test.each([
  ["https://auth.example.com", '"https://auth.example.com" in --auth-server is no address'],
  ["auth.example.com:0", '"auth.example.com:0" in --auth-server is no address'],
  ["2001:db8::1:x", '"2001:db8::1:x" in --auth-server is no address'],
  ["user@auth", '"user@auth" in --auth-server is no address'],
  [" , ", "--auth-server names 0 addresses"],
  ["a,".repeat(9), "--auth-server names 9 addresses"],
])("--auth-server %s is refused", (text, saying) => {
  expect(() => readAuthServers(text)).toThrow(expect.objectContaining({ code: "usage", message: saying }));
});

test("--ca-pin takes several", () => {
  expect(readPins(`${pin},${pin}`)).toEqual([pin, pin]);
});

test.each([
  ["0a0a", '"0a0a" in --ca-pin is no pin'],
  [pin.toUpperCase(), "in --ca-pin is no pin"],
  ["", "--ca-pin holds 0 pins"],
])("--ca-pin %s is refused", (text, saying) => {
  expect(() => readPins(text)).toThrow(expect.objectContaining({ code: "usage", message: expect.stringContaining(saying) }));
});
