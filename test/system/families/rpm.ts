import type { Manners } from "./family.ts";

/** What yum and zypper have in common. */
export const rpm: Pick<Manners, "wraps" | "putBack" | "failedScript" | "busyAt" | "newConffile" | "lists"> = {
  wraps: (version) => ({
    release: `${version}-2.el9`,
    later: `${version}-10.el9`,
    epoch: `5:${version}-1`,
    suffix: `${version}-1.el9_4`,
  }),
  putBack: (file) => ["rpm", "--force-debian", "--upgrade", "--oldpackage", "--replacepkgs", file],
  failedScript: /svc-ent: the postinst fails; warning: %post\(svc-ent-15\.6\.2-1\.\w+\) scriptlet failed, exit status 1/,
  busyAt: "refresh",
  newConffile: ".rpmnew",
  lists: "/repodata/repomd.xml",
};
