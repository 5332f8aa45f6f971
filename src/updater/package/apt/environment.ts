/**
 * The whole environment of every apt and dpkg call. The locale is fixed because the output is read;
 * all that could ask a question, or restart services behind our back, is told not to.
 */
export function aptEnvironment(noProxy: string): Readonly<Record<string, string>> {
  return {
    PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    LC_ALL: "C.UTF-8",
    // What the host sets for everything that systemd starts would win over the locale.
    LANGUAGE: "",
    DEBIAN_FRONTEND: "noninteractive",
    DEBIAN_PRIORITY: "critical",
    // Without apt-utils debconf says on each call that it asks its questions later; it has none to ask here.
    DEBCONF_NOWARNINGS: "yes",
    APT_LISTCHANGES_FRONTEND: "none",
    NEEDRESTART_SUSPEND: "1",
    UCF_FORCE_CONFFOLD: "1",
    // Always, if only to hide another: apt puts it above every other setting, and reads it in a way of its own.
    no_proxy: noProxy,
  };
}
