/**
 * The whole environment of every apt and dpkg call. The locale is fixed because we read the output. Programs that would ask a question or
 * restart services are told not to.
 */
export function aptEnvironment(noProxy: string): Readonly<Record<string, string>> {
  return {
    PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    LC_ALL: "C.UTF-8",
    // Otherwise a LANGUAGE set for all units would override the locale.
    LANGUAGE: "",
    DEBIAN_FRONTEND: "noninteractive",
    DEBIAN_PRIORITY: "critical",
    // Without apt-utils, debconf warns on each call that it delays its questions. Here it has no questions.
    DEBCONF_NOWARNINGS: "yes",
    APT_LISTCHANGES_FRONTEND: "none",
    NEEDRESTART_SUSPEND: "1",
    UCF_FORCE_CONFFOLD: "1",
    // Always set, to hide another one: apt puts it above every other setting and reads it in its own way.
    no_proxy: noProxy,
  };
}
