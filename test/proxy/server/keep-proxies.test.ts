import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { keepProxies } from "../../../src/proxy/server/cli/keep-proxies.ts";
import { underLease } from "../../machine/files/lease.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";

const folder = scratchFolder();
const [from, to] = [`${folder}/svc`, `${folder}/kept.env`];
const last = 'HTTPS_PROXY="http://last.test:3128"\n';

beforeEach(() => {
  for (const path of [from, to]) rmSync(path, { recursive: true, force: true });
});

function keep(): readonly string[] {
  const said: string[] = [];
  keepProxies({ from, to }, { log: (level, sentence, fields) => said.push(`${level}: ${sentence}: ${String(fields?.["why"])}`) });
  return said;
}

describe("the proxies that the unit is started with", () => {
  test("are those of the environment file, closed to all others, and nothing else of it", () => {
    writeFileSync(from, "HTTPS_PROXY=http://fleet:$ecret@proxy.test:3128\nno_proxy='.lan, .test'\nTZ=Nowhere\n");
    expect(keep()).toEqual([]);
    expect(readFileSync(to, "utf8")).toBe('HTTPS_PROXY="http://fleet:\\$ecret@proxy.test:3128"\nno_proxy=".lan, .test"\n');
    expect(statSync(to).mode & 0o777).toBe(0o600);
  });

  test("are none where there is no such file any more", () => {
    writeFileSync(to, last);
    expect(keep()).toEqual([]);
    expect(readFileSync(to, "utf8")).toBe("");
  });

  test("are replaced by those of a file that can be read again", () => {
    writeFileSync(to, last);
    writeFileSync(from, "HTTP_PROXY=http://next.test:3128\n");
    keep();
    expect(readFileSync(to, "utf8")).toBe('HTTP_PROXY="http://next.test:3128"\n');
  });
});

const unreadable = [
  { what: "a named pipe", make: () => void execFileSync("mkfifo", [from]), why: "it is a named pipe" },
  { what: "a directory", make: () => mkdirSync(from), why: "it is a directory" },
  { what: "too large", make: () => writeFileSync(from, "#".repeat(70_000)), why: "it is larger than 65536 bytes" },
] as const;

describe.each(unreadable)("an environment file that is $what", ({ make, why }) => {
  test("leaves the proxies that were read last, and that is said", () => {
    make();
    writeFileSync(to, last);
    expect(keep()).toEqual([`warning: the proxies are those last read: the environment file cannot be read: ${why}`]);
    expect(readFileSync(to, "utf8")).toBe(last);
  });

  test("lets nothing start where none were read before: that would be a way past them", () => {
    make();
    expect(keep).toThrow(
      expect.objectContaining({
        code: "proxies-unread",
        message: `${from} cannot be read, and no proxies were read before: ${why}`,
        hint: `put a file of root's in its place: \`sudo mv ${from} ${from}.old && sudoedit ${from}\``,
      }),
    );
  });
});

test("a file on which somebody has a lease is not waited for", async () => {
  writeFileSync(from, "HTTPS_PROXY=http://proxy.test:3128\n");
  writeFileSync(to, last);
  const why = "resource temporarily unavailable (EAGAIN)";
  expect(await underLease(from, keep)).toEqual([
    `warning: the proxies are those last read: the environment file cannot be read: ${why}`,
  ]);
  expect(readFileSync(to, "utf8")).toBe(last);
});
