import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readKeyPairs, type ReadKeyPairs } from "../../../src/proxy/server/key-pairs.ts";
import { createAuthority, type Pair } from "../../machine/network/fixture/authority.ts";

const authority = createAuthority("own authority");
const folder = mkdtempSync(join(tmpdir(), "svc-proxy-pairs-"));
afterAll(() => {
  authority.remove();
  rmSync(folder, { recursive: true, force: true });
});

const issue = (validity: "good" | "expired" | "not-yet" | "ending"): Pair =>
  authority.issue({ name: "a.example", altName: "DNS:a.example", validity });

let count = 0;
function file(text: string): string {
  const path = join(folder, String((count += 1)));
  writeFileSync(path, text);
  return path;
}

const reading = (keyFile: string, certFile: string): ReadKeyPairs => readKeyPairs([{ keyFile, certFile }], Date.now());
const foundIn = ({ refusals }: ReadKeyPairs): readonly string[] => refusals.map(({ at, found }) => `${at}: ${found}`);

describe("a pair", () => {
  const good = issue("good");

  test("is read where the key belongs to the certificate, its chain after it", () => {
    const read = reading(file(good.key), file(`${good.cert}${authority.pem}`));
    expect([read.pairs.length, read.refusals, read.remarks]).toEqual([1, [], []]);
    expect(read.pairs[0]?.certificate.subject).toBe("CN=a.example");
  });

  test("that ends soon is remarked upon", () => {
    const ending = issue("ending");
    const read = reading(file(ending.key), file(ending.cert));
    expect([read.pairs.length, read.refusals]).toEqual([1, []]);
    expect(read.remarks).toEqual([expect.stringMatching(/^the certificate in \S+ ends on \d{4}-/)]);
  });

  test.each([
    ["expired", /cert_file: \S+ expired on 2021-01-01/],
    ["not-yet", /cert_file: \S+ begins only on 2098-01-01/],
  ] as const)("that is %s is refused", (validity, found) => {
    const pair = issue(validity);
    expect(foundIn(reading(file(pair.key), file(pair.cert)))).toEqual([expect.stringMatching(found)]);
  });

  test.each(["expired", "not-yet"] as const)(
    "that is %s beside one in force is remarked upon, and comes after it",
    (validity) => {
      const [late, right] = [issue(validity), good].map(({ key, cert }) => ({ keyFile: file(key), certFile: file(cert) }));
      const read = readKeyPairs([late!, right!], Date.now());
      expect(read.pairs.map(({ certFile }) => certFile)).toEqual([right!.certFile, late!.certFile]);
      expect([read.refusals, read.remarks]).toEqual([
        [],
        [
          expect.stringMatching(
            /^the certificate in \S+ (?:expired|begins only) on .*: clients refuse it; the others are served$/,
          ),
        ],
      ]);
    },
  );

  test("of two that have both expired each is refused", () => {
    const { key, cert } = issue("expired");
    const late = { keyFile: file(key), certFile: file(cert) };
    expect(foundIn(readKeyPairs([late, late], Date.now())).map((found) => found.replace(/:.*/, ""))).toEqual([
      "proxy_service.https_keypairs[0].cert_file",
      "proxy_service.https_keypairs[1].cert_file",
    ]);
  });

  test("of two that do not belong together is refused", () => {
    expect(foundIn(reading(file(issue("good").key), file(good.cert)))).toEqual([
      expect.stringMatching(/does not belong to the key/),
    ]);
  });

  test("is told with everything that is wrong with both files", () => {
    expect(foundIn(reading("/proc/nowhere/key", folder))).toEqual([
      "proxy_service.https_keypairs[0].key_file: /proc/nowhere/key does not exist",
      `proxy_service.https_keypairs[0].cert_file: ${folder} cannot be read: it is a directory`,
    ]);
    expect(foundIn(reading(file(good.cert), file(good.key)))).toEqual([
      expect.stringMatching(/key_file: \S+ holds no such key/),
      expect.stringMatching(/cert_file: \S+ holds no certificate/),
    ]);
  });

  test.skipIf(process.getuid?.() === 0)("that may not be read is told so", () => {
    const closed = file(good.key);
    chmodSync(closed, 0);
    expect(foundIn(reading(closed, file(good.cert)))).toEqual([
      expect.stringMatching(/key_file: \S+ may not be read by the user who serves it/),
    ]);
  });
});
