import type { Manners } from "./family.ts";

const pin = "/etc/apt/preferences.d/preferred";

export const apt: Manners = {
  wraps: (version) => ({
    release: `${version}-2`,
    later: `${version}-10`,
    epoch: `5:${version}-1`,
    suffix: `${version}-1~deb12u1`,
  }),
  prefer: async ({ host, repository }, { file, packageVersion }) => {
    await repository.publish(file);
    await host.write(pin, `Package: svc-ent\nPin: version ${packageVersion}\nPin-Priority: 990\n`);
  },
  unprefer: async (host) => void (await host.mustRun(["rm", pin])),
  putBack: (file) => ["dpkg", "--force-downgrade", "--force-confnew", "--install", file],
  deadSource: {
    path: "/etc/apt/sources.list.d/never.list",
    text: "deb [trusted=yes] http://127.0.0.1:9/never stable main\n",
  },
  refreshByHand: { argv: ["apt-get", "update", "-o", "APT::Update::Error-Mode=any"], status: 100 },
  untrustedLists: { step: "refresh", code: "refresh-failed", status: 75 },
  checkPackages: () => Promise.reject(new Error("a .deb has no signature of its own")),
  wouldRemove: "would remove companion",
  busyAt: "keep",
  heldAt: () => /^svc-ent\n$/,
  unhold: async (host) => void (await host.mustRun(["apt-mark", "unhold", "svc-ent"])),
  // The second in the words of dpkg 1.23.
  failedScript:
    /svc-ent package (?:post-installation script subprocess returned error|postinst maintainer script subprocess failed with) exit status 1/,
  newConffile: ".dpkg-dist",
  german: { argv: ["apt-get", "install", "no-such-package"], says: "Paket no-such-package kann nicht gefunden werden" },
  ownProxy: async (host, url) => {
    const text = `Acquire::http::Proxy "${url}";\nAcquire::http::Proxy::outer.test "${url}";\nAcquire::https::Proxy::outer.test "DIRECT";\n`;
    await host.write("/etc/apt/apt.conf.d/99proxy", text);
  },
  lists: "/dists/stable/InRelease",
};
