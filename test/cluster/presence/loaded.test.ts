import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { makeToken } from "../auth/over-tls.ts";
import { testHost as test } from "./host.ts";

/** Every host has it in memory for as long as it runs. */
test("to join and to stay takes neither Connect nor the library of certificates", async ({ auth, host }) => {
  const asked = JSON.stringify({
    port: auth.port,
    pin: auth.authorities.signing.pin,
    tokenFile: host.tokenFile(await makeToken(auth)),
    dataDirectory: host.place.dataDirectory,
  });
  const program = join(import.meta.dirname, "loaded-child.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [program, asked]);
  const loaded = stdout.split("\n");
  expect(loaded).toContainEqual(expect.stringMatching(/src\/cluster\/presence\/renew\.ts$/));
  const packages = loaded.flatMap((url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []);
  expect([...new Set(packages)]).toEqual(["semver"]);
});
