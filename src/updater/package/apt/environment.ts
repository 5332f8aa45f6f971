/**
 * The whole environment of every apt and dpkg call. The locale is fixed because we read the output. Other variables stop programs from asking
 * questions or restarting services.
 */
export function aptEnvironment(noProxy: string): Readonly<Record<string, string>> {
  return {
    PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    LC_ALL: "C.UTF-8",
    // Empty, because a LANGUAGE set for all units would override the locale.
    LANGUAGE: "",
    DEBIAN_FRONTEND: "noninteractive",
    DEBIAN_PRIORITY: "critical",
    // Without apt-utils, debconf warns at each call that it delays its questions. It has none here.
    DEBCONF_NOWARNINGS: "yes",
    APT_LISTCHANGES_FRONTEND: "none",
    NEEDRESTART_SUSPEND: "1",
    UCF_FORCE_CONFFOLD: "1",
    // Always set, to hide another value: apt prefers it to every other setting and reads it in its own way.
    no_proxy: noProxy,
  };
}
