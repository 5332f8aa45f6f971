import { mutate, noise } from "./mutate.ts";
import type { Random } from "./random.ts";

/** A text near a grammar: right, a little wrong, or nothing of the kind. */
export function near(sample: (random: Random) => string): (random: Random) => string {
  return (random) => {
    const manner = random.below(20);
    if (manner < 7) return sample(random);
    return manner < 19 ? mutate(random, sample(random)) : noise(random);
  };
}

export function digits(random: Random): string {
  return String(random.pick([random.below(4), random.below(20), random.below(300), random.below(2 ** 31)]));
}

export function versionText(random: Random): string {
  const release = `${digits(random)}.${digits(random)}.${digits(random)}`;
  const prerelease = random.onceIn(3) ? `-${identifiers(random)}` : "";
  const build = random.onceIn(5) ? `+${identifiers(random)}` : "";
  return `${random.pick(["", "", "v"])}${release}${prerelease}${build}`;
}

function identifiers(random: Random): string {
  return random
    .several(1, 3, () => random.pick(["rc", "alpha", "beta", "0", "1", "01", "x-y", "-", "rc1", "deadbeef", digits(random)]))
    .join(".");
}

export function packageVersionText(random: Random): string {
  const epoch = random.onceIn(3) ? `${random.below(9)}:` : "";
  const upstream = versionText(random).replace(/^v/, "");
  const tilde = random.onceIn(4)
    ? random.pick(["~rc.1", "~rc1", "_beta.2", "~bpo", "+really15.4.5", "+git20260101", "^20260101", "+rc1"])
    : "";
  const revision = random.pick([
    "",
    "-1",
    "-1ubuntu2",
    "-1~deb12u1",
    "-0.rc.1.el9",
    "-1.el9",
    "-lp155.1",
    "-rc.1",
    "-1.fc41",
    "-1-2",
  ]);
  return `${epoch}${upstream}${tilde}${revision}`;
}

export function channelText(random: Random): string {
  const word = (): string => random.pick(["default", "stable", "cloud", "v15", "a.b", "a_b-c", "0", "X"]);
  return random.several(1, random.pick([1, 2, 3, 8, 9]), word).join("/");
}

export function addressText(random: Random): string {
  const four = (): string => random.pick(["10.0.0.1", "192.168.1.7", "127.0.0.1", "0.0.0.0", "127.255.0.1", octets(random)]);
  const mapped = (): string => `::ffff:${four()}`;
  const sixes = [
    "::1",
    "::",
    "2001:db8::1",
    "2001:DB8:0:0::1",
    "fe80::1",
    "fd00::",
    "1:2:3:4:5:6:7:8",
    "1:2:3:4:5:6:7::",
    "::ffff:a00:1",
  ];
  return random.pick([four, four, mapped, () => random.pick(sixes), () => groups(random)])();
}

function octets(random: Random): string {
  return random.several(4, 4, () => String(random.below(260))).join(".");
}

function groups(random: Random): string {
  return random.several(3, 8, () => random.pick(["0", "", "1", "db8", "ffff", "2001"])).join(":");
}

export function nameText(random: Random): string {
  const names = [
    "proxy.example",
    "proxy.example.com",
    "a.proxy.example.com",
    "example.com",
    "localhost",
    "x.localhost",
    "kube.svc.cluster.local",
  ];
  return random.pick([
    ...names,
    ...names,
    "host_1",
    "PROXY.Example.COM",
    "example.com.",
    "bücher.example",
    "xn--bcher-kva.example",
    "a-b",
    "1a",
    "127.1",
    "0x7f.1",
  ]);
}

export function hostText(random: Random): string {
  return random.onceIn(3) ? addressText(random) : nameText(random);
}

/** As in a URL. */
export function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

export function portText(random: Random): string {
  return random.pick(["443", "80", "3128", "8080", "1", "65535", "65536", "0", "0443", String(random.below(70_000))]);
}

export function urlText(random: Random): string {
  const scheme = random.pick(["https", "https", "http", "HTTPS"]);
  const port = random.onceIn(3) ? `:${portText(random)}` : "";
  const path = random.pick(["", "", "/", "/base", "/a/b/", "//", "/x%20y", "/%2e%2e/a", "?a=b", "/#c"]);
  const user = random.onceIn(12) ? "user:hunter2@" : "";
  return `${scheme}://${user}${bracketed(hostText(random))}${port}${path}`;
}

export function instantText(random: Random): string {
  const two = (most: number): string => String(random.below(most + 1)).padStart(2, "0");
  const year = random.pick(["2026", "2026", "2024", "2100", "2000", "1970", "1969", "0000", "9999", "0099"]);
  const date = `${year}-${random.pick([two(13), "02", "12"])}-${random.pick([two(32), "29", "30", "31"])}`;
  if (random.onceIn(4)) return date;
  const seconds = random.onceIn(3) ? "" : `:${two(60)}`;
  const offset = random.pick(["Z", "Z", "+00:00", "-00:00", `+${two(24)}:${two(60)}`, `-${two(24)}:${two(60)}`]);
  return `${date}T${two(24)}:${two(60)}${seconds}${offset}`;
}
