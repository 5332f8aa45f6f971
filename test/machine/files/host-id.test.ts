import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { hostIdBelow } from "../../../src/machine/files/host-id.ts";

function rootWith(machineId: string | undefined): string {
  const root = mkdtempSync(join(tmpdir(), "svc-upgrade-host-id-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, "etc"));
  if (machineId !== undefined) writeFileSync(join(root, "etc/machine-id"), machineId);
  return root;
}

const machineId = "0123456789abcdef0123456789abcdef";
// printf %s 'svc-upgrade host' | openssl dgst -sha256 -hmac 0123456789abcdef0123456789abcdef | cut -c-32
const name = "56d5c1106119117e1b83ee647f2fcd64";

test.each([
  ["as it stands in the file", machineId, name],
  ["with a newline", `${machineId}\n`, name],
  ["before the first boot has ended", "uninitialized\n", undefined],
  ["that is empty", "", undefined],
  ["that is missing", undefined, undefined],
  ["that is none", "not a machine id\n", undefined],
])("a host is named by a machine id %s", (_title, written, expected) => {
  expect(hostIdBelow(rootWith(written))).toBe(expected);
});
