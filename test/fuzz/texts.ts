import type { Random } from "./random.ts";
import { secret } from "./target.ts";

export function versionText(random: Random): string {
  const number = (): string => String(random.pick([random.below(20), random.below(2 ** 31)]));
  const words = (): string => random.several(1, 3, () => random.pick(["rc", "0", "01", "x-y", "rc1", number()])).join(".");
  const prerelease = random.onceIn(3) ? `-${words()}` : "";
  const build = random.onceIn(5) ? `+${words()}` : "";
  return `${random.pick(["", "", "v"])}${number()}.${number()}.${number()}${prerelease}${build}`;
}

export function packageVersionText(random: Random): string {
  const epoch = random.onceIn(3) ? `${random.below(9)}:` : "";
  const more = random.onceIn(4) ? random.pick(["~rc.1", "_beta.2", "+really15.4.5", "^20260101", "+rc1"]) : "";
  const revision = random.pick(["", "-1", "-1~deb12u1", "-0.rc.1.el9", "-lp155.1", "-rc.1", "-1-2"]);
  return `${epoch}${versionText(random).replace(/^v/, "")}${more}${revision}`;
}

export function channelText(random: Random): string {
  const word = (): string => random.pick(["default", "stable", "cloud", "a.b", "a_b-c", "0"]);
  return random.several(1, random.pick([1, 2, 3, 9]), word).join("/");
}

export function addressText(random: Random): string {
  const four = (): string => random.several(4, 4, () => String(random.below(260))).join(".");
  const groups = (): string => random.several(3, 8, () => random.pick(["0", "", "1", "db8", "ffff"])).join(":");
  const known = "10.0.0.1|127.0.0.1|0.0.0.0|::|::1|2001:DB8:0:0::1|1:2:3:4:5:6:7::|::ffff:a00:1".split("|");
  return random.pick([four, groups, () => `::ffff:${four()}`, () => random.pick(known)])();
}

export function networkText(random: Random): string {
  return `${addressText(random)}/${random.below(140)}`;
}

export function hostText(random: Random): string {
  const names = "proxy.example|a.proxy.example.com|localhost|x.localhost|PROXY.Example.|bücher.example|127.1|host_1".split("|");
  return random.onceIn(3) ? addressText(random) : random.pick(names);
}

/** As in a URL. */
function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

export function hostAndPort(random: Random): string {
  const port = random.pick(["443", "3128", "65535", "65536", "0", "0443"]);
  return `${bracketed(hostText(random))}:${port}`;
}

export function proxyText(random: Random): string {
  const scheme = random.pick(["http://", "https://", "", "HTTP://", "socks5://"]);
  const users = [
    "user@",
    `u:${secret}@`,
    `u%40x:${secret}%3A%2F@`,
    `:${secret}@`,
    `a:b:${secret}@`,
    `u:%FF${secret}@`,
    `u:%0A${secret}@`,
  ];
  const user = random.onceIn(2) ? random.pick(users) : "";
  return `${scheme}${user}${hostAndPort(random)}${random.pick(["", "", "/", "/x"])}`;
}

export function noProxyText(random: Random): string {
  const entry = (): string =>
    random.pick([
      () => hostText(random),
      () => hostAndPort(random),
      () => random.pick([".", "*.", "*"]) + hostText(random),
      () => networkText(random),
      () => random.pick(["*", `[${addressText(random)}]`, `[${networkText(random)}]:443`, "", " "]),
    ])();
  return random.several(1, 4, entry).join(random.pick([",", ", ", ",,", " "]));
}

export function urlText(random: Random): string {
  const host = random.pick([hostAndPort(random), bracketed(hostText(random))]);
  const path = random.pick(["", "", "/", "/base", "//", "/x%20y", "/%2e%2e/a", "?a=b", "/#c"]);
  return `${random.pick(["https", "http", "HTTPS"])}://${random.onceIn(12) ? "ann:pw@" : ""}${host}${path}`;
}

export function instantText(random: Random): string {
  const two = (most: number): string => String(random.below(most + 1)).padStart(2, "0");
  const date = `${random.pick(["2026", "2024", "1969", "0000", "9999"])}-${two(13)}-${two(32)}`;
  const offset = random.pick(["Z", "-00:00", `+${two(24)}:${two(60)}`, `-${two(24)}:${two(60)}`]);
  return random.onceIn(4) ? date : `${date}T${two(24)}:${two(60)}${random.onceIn(3) ? "" : `:${two(60)}`}${offset}`;
}
