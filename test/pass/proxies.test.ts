import { chmodSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { layProxies, pick, proxiesInFile } from "../../src/pass/proxies.ts";
import { scratchFolder } from "../host/scratch.ts";

const folder = scratchFolder();

function inFile(text: string): readonly [object, readonly string[]] {
  const path = `${folder}/svc`;
  writeFileSync(path, text);
  return read(path);
}

function read(path: string): readonly [object, readonly string[]] {
  const said: string[] = [];
  return [proxiesInFile(path, (level, sentence) => said.push(`${level}: ${sentence}`)), said];
}

describe("the proxies of the agent's environment file", () => {
  test("are read as systemd reads them, and nothing else is", () => {
    expect(
      inFile('# a comment\nHTTPS_PROXY="http://proxy.test:3128"\nno_proxy=.lan\nSECRET=x\nexport HTTP_PROXY=http://no.test\n'),
    ).toEqual([{ HTTPS_PROXY: "http://proxy.test:3128", no_proxy: ".lan" }, []]);
  });

  test("are none where there is no file", () => {
    expect(read(`${folder}/none`)).toEqual([{}, []]);
  });

  test("are none where the file is no file, or too large, and that is said", () => {
    const warning = "warning: the agent's environment file is not used";
    expect(read(folder)).toEqual([{}, [warning]]);
    expect(inFile(`HTTPS_PROXY=${"x".repeat(70_000)}\n`)).toEqual([{}, [warning]]);
  });

  test.skipIf(process.getuid?.() === 0)("are none where the file may not be read, and that is said", () => {
    const path = `${folder}/svc`;
    writeFileSync(path, "HTTPS_PROXY=http://proxy.test:3128\n");
    chmodSync(path, 0);
    expect(read(path)).toEqual([{}, ["warning: proxies may be set in a file that this user may not read"]]);
  });
});

test.each([
  [{ HTTPS_PROXY: "a" }, {}, { HTTPS_PROXY: "a" }],
  [{ HTTPS_PROXY: "a", NO_PROXY: "x" }, { HTTPS_PROXY: "b" }, { HTTPS_PROXY: "b", NO_PROXY: "x" }],
  [{ HTTPS_PROXY: "a", https_proxy: "c" }, { https_proxy: "b" }, { https_proxy: "b" }],
  [{ https_proxy: "a" }, { HTTPS_PROXY: "" }, { HTTPS_PROXY: "" }],
])("over %j in the file, %j in the environment is %j", (file, environment, both) => {
  expect(layProxies(file, environment)).toEqual(both);
});

test("of an environment only the proxy variables are picked", () => {
  expect(pick({ HTTPS_PROXY: "a", no_proxy: "", HTTP_PROXY: undefined, PATH: "/bin", ALL_PROXY: "x" })).toEqual({
    HTTPS_PROXY: "a",
    no_proxy: "",
  });
});
