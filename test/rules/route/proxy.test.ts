import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Fault } from "../../../src/rules/fault/fault.ts";
import { caught } from "./caught.ts";
import { parseProxy, printProxy } from "../../../src/rules/route/proxy.ts";

function faultOf(value: string): Fault {
  const thrown = caught(() => parseProxy("HTTPS_PROXY", value));
  if (!(thrown instanceof Fault)) throw new Error(`${value} was accepted`, { cause: thrown });
  return thrown;
}

const someone = { user: "ann", password: "pw" };

describe("parseProxy", () => {
  test.each([
    ["http://proxy.example:3128", "http", "proxy.example", 3128, undefined],
    ["https://proxy.example:3129", "https", "proxy.example", 3129, undefined],
    ["HTTP://Proxy.Example:3128", "http", "proxy.example", 3128, undefined],
    ["http://proxy.example:3128/", "http", "proxy.example", 3128, undefined],
    ["proxy.example:3128", "http", "proxy.example", 3128, undefined],
    ["proxy:80", "http", "proxy", 80, undefined],
    ["http://proxy.example:80", "http", "proxy.example", 80, undefined],
    ["https://proxy.example:443", "https", "proxy.example", 443, undefined],
    ["http://proxy.example.:3128", "http", "proxy.example", 3128, undefined],
    ["10.0.0.7:3128", "http", "10.0.0.7", 3128, undefined],
    ["http://[2001:DB8:0::7]:3128", "http", "2001:db8::7", 3128, undefined],
    ["[2001:db8::7]:3128", "http", "2001:db8::7", 3128, undefined],
    ["http://bücher.example:3128", "http", "xn--bcher-kva.example", 3128, undefined],
    ["http://proxy_1.example:3128", "http", "proxy_1.example", 3128, undefined],
    ["http://ann:pw@proxy.example:3128", "http", "proxy.example", 3128, someone],
    ["https://ann:pw@proxy.example:3128/", "https", "proxy.example", 3128, someone],
    ["ann:pw@proxy.example:3128", "http", "proxy.example", 3128, someone],
    ["http://ann@proxy.example:3128", "http", "proxy.example", 3128, { user: "ann", password: "" }],
    ["http://ann:@proxy.example:3128", "http", "proxy.example", 3128, { user: "ann", password: "" }],
    [
      "http://a%40corp:p%3Aw%2F%20%C3%A9@proxy.example:3128",
      "http",
      "proxy.example",
      3128,
      { user: "a@corp", password: "p:w/ é" },
    ],
    ["http://ann:p@ss:w/rd#?@proxy.example:3128", "http", "proxy.example", 3128, { user: "ann", password: "p@ss:w/rd#?" }],
    ["http://ann:pw@[2001:db8::7]:3128", "http", "2001:db8::7", 3128, someone],
  ] as const)("reads %s", (...[value, scheme, host, port, credentials]) => {
    expect(parseProxy("HTTPS_PROXY", value)).toEqual({ scheme, host, port, credentials });
  });

  test.each([
    ["http://proxy.example", "it has no port"],
    ["proxy.example", "it has no port"],
    ["http://proxy.example/", "it has no port"],
    ["http://[2001:db8::7]", "it has no port"],
    ["http://proxy.example:", "its port is not a number"],
    ["http://proxy.example:0", "its port is not a number"],
    ["http://proxy.example:65536", "its port is not a number"],
    ["http://proxy.example:080", "its port is not a number"],
    ["http://proxy.example:http", "its port is not a number"],
    ["http://proxy.example:3128/path", "its port is not a number"],
    ["http://proxy.example:3128?x", "its port is not a number"],
    ["http://", "its host is neither"],
    ["http://:3128", "its host is neither"],
    ["http://proxy example:3128", "its host is neither"],
    ["http://a..b:3128", "its host is neither"],
    ["http://10.0.0.256:3128", "its host is neither"],
    ["http://127.1:3128", "its host is neither"],
    ["http://0x7f000001:3128", "its host is neither"],
    ["http://2001:db8::7:3128", "its host is neither"],
    ["http://[proxy.example]:3128", "its host is neither"],
    ["http://[10.0.0.7]:3128", "its host is neither"],
    ["http://*.example:3128", "its host is neither"],
    ["http://proxy.example,other.example:3128", "its host is neither"],
    ["http:proxy.example:3128", "its host is neither"],
    ["socks5://proxy.example:1080", "its scheme is socks5"],
    ["ftp://proxy.example:21", "its scheme is ftp"],
    ["://proxy.example:3128", "its host is neither"],
    ["http://@proxy.example:3128", "no user before it"],
    ["http://:pw@proxy.example:3128", "no user before it"],
    ["http://a%3Ab:pw@proxy.example:3128", "its user holds a colon"],
    ["http://ann:p%w@proxy.example:3128", "a % that is not followed"],
    ["http://ann:%ff@proxy.example:3128", "a % that is not followed"],
    ["http://ann:p%0Aw@proxy.example:3128", "a control character"],
  ])("refuses %s: %s", (value, why) => {
    const fault = faultOf(value);
    expect(fault.code).toBe("proxy-invalid");
    expect(fault.message).toContain(`HTTPS_PROXY is not a usable proxy: `);
    expect(fault.message).toContain(why);
    expect(fault.hint).toContain("scheme://host:port with http or https");
  });

  test.each([
    ..."http://localhost:3128 http://LOCALHOST:3128 localhost:3128 http://localhost.:3128".split(" "),
    ..."http://proxy.localhost:3128 http://127.0.0.1:3128 127.0.0.1:3128 http://127.9.9.9:3128".split(" "),
    ..."http://[::1]:3128 http://[0:0:0:0:0:0:0:1]:3128 http://[::ffff:127.0.0.1]:3128 http://0.0.0.0:3128".split(" "),
    "http://ann:hunter2@localhost:3128",
  ])("refuses %s and says what a local proxy is named by", (value) => {
    const fault = faultOf(value);
    expect(fault.code).toBe("proxy-invalid");
    expect(fault.hint).toBe(
      "name the proxy in HTTPS_PROXY by a DNS name or a private IP: localhost and 127.0.0.1 are not allowed there; for the units it is set in /etc/default/svc: `sudoedit /etc/default/svc`",
    );
    expect(fault.message).not.toContain("hunter2");
  });

  test("no fault ever tells a password, its cause included", () => {
    const around = fc.constantFrom("http://", "https://", "socks5://", "", "://");
    fc.assert(
      fc.property(around, fc.string(), fc.string(), (start, noise, end) => {
        for (const value of [
          `${start}ann:${noise}hunter2@${end}`,
          `${start}${noise}:hunter2%@h:1`,
          `${start}ann:hunter2${end}`,
        ]) {
          const thrown = caught(() => parseProxy("HTTP_PROXY", value));
          const told = thrown instanceof Fault ? `${thrown.message} ${thrown.hint} ${String(thrown.cause)}` : typeof thrown;
          expect(told).toMatch(/^(?![^]*hunter2)[^]*(proxy|undefined)/);
        }
      }),
    );
  });
});

describe("printProxy", () => {
  test.each([
    ["http://ann:pw@proxy.example:3128", "http://proxy.example:3128"],
    ["proxy.example:80", "http://proxy.example:80"],
    ["https://[2001:db8::7]:443", "https://[2001:db8::7]:443"],
  ])("%s is told as %s", (value, printed) => {
    expect(printProxy(parseProxy("HTTP_PROXY", value))).toBe(printed);
  });

  test("what is printed reads as the same proxy, without credentials", () => {
    const host = fc.oneof(
      fc.domain(),
      fc.ipV4(),
      fc.ipV6().map((text) => `[${text}]`),
    );
    fc.assert(
      fc.property(fc.constantFrom("http", "https"), host, fc.integer({ min: 1, max: 65_535 }), (scheme, name, port) => {
        fc.pre(!/^(127\.|0\.0\.0\.0|\[[0:]*1?\]|\[[0:]*(ffff:)?[0:]*(7f|127|0\.0))/i.test(name));
        const proxy = parseProxy("HTTP_PROXY", `${scheme}://ann:pw@${name}:${port}`);
        expect(parseProxy("HTTP_PROXY", printProxy(proxy))).toEqual({ ...proxy, credentials: undefined });
      }),
    );
  });
});
