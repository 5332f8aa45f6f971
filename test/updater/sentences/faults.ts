import type { FaultCode } from "../../../src/rules/fault/table.ts";

/**
 * Every fault: what is told of one where it is met, and what to do next. Names, times and paths stand as `test/told/golden.ts` writes them. What doctor
 * finds is its answer, and `unhealthy-host` only its exit status.
 */
export const faults: Readonly<Record<Exclude<FaultCode, "unhealthy-host">, string>> = {
  usage: "unknown option '--nwo'; Did you mean --now?",
  "answer-invalid":
    "https://proxy.example.com/v1/webapi/automaticupgrades/channel/default/version, asked directly (loopback is never proxied), answers a web page of 36 bytes; check that `endpoint` names the version server and nothing in between asks for a sign-in: `curl -v https://proxy.example.com/v1/webapi/automaticupgrades/channel/default/version`",
  "redirect-refused":
    "http://10.0.0.8:443/v1/webapi/automaticupgrades/channel/default/version redirects once more, after 3 redirects before it; look at the answers with `curl -sSIL http://10.0.0.8:443/v1/webapi/automaticupgrades/channel/default/version`, and set `endpoint` to where the server really is",
  "hand-over-invalid":
    "svc-upgrade-ask.service gave an answer that cannot be used: it is not JSON; look at what it said: `journalctl -u svc-upgrade-ask`",
  "channel-unknown":
    "https://proxy.example.com/v1/webapi/automaticupgrades/channel/default/version, asked directly (loopback is never proxied), answers with status 404; check `channel` and `endpoint`; `curl -v https://proxy.example.com/v1/webapi/automaticupgrades/channel/default/version` shows the whole answer",
  "channel-refused":
    "https://proxy.example.com/v1/webapi/automaticupgrades/channel/default/version, asked directly (loopback is never proxied), answers with status 403; let the version server answer this host without signing in; `curl -v https://proxy.example.com/v1/webapi/automaticupgrades/channel/default/version` shows the whole answer",
  "tls-untrusted":
    "10.0.0.8:443 is not trusted: the certificate's authority is not in the store, or the server does not send the certificates in between; it shows \"CN=server\" for IP Address:127.0.0.1, issued by \"CN=Private Authority\", valid 2020-01-01 to 2099-01-01 (UNABLE_TO_VERIFY_LEAF_SIGNATURE; store: /etc/ssl/certs/ca-certificates.crt); if the server's authority is your own, put its certificate into /etc/svc-upgrade/ca.pem and type `echo 'ca_file: /etc/svc-upgrade/ca.pem' | sudo tee /etc/svc-upgrade/90-ca.yaml`; if not, something in between answers for the server",
  "proxy-refused":
    "the proxy http://10.0.0.8:443 (HTTPS_PROXY) answers CONNECT version.invalid:443 with 407 Not This Way, and no credentials are set; set user and password, before the host and an @ (special characters percent-encoded) in /etc/default/svc: `sudoedit /etc/default/svc`, the line HTTPS_PROXY=http://USER:PASSWORD@10.0.0.8:443",
  "contact-lost":
    "the version server has not been reached since TIME; check that the service on 127.0.0.1 is up and the port is right; `svc-upgrade config` shows where `endpoint` is set; if this host needs a proxy, set HTTP_PROXY in /etc/default/svc: `echo 'HTTP_PROXY=http://HOST:PORT' | sudo tee -a /etc/default/svc`",
  "package-absent":
    "the agent's package is not installed; install the agent, or let this do it: `svc-upgrade run --now --install`",
  "package-unreadable":
    "the installed package version 20261121 holds no semantic version; see that agent.package names the agent's own package: `svc-upgrade config`",
  "manager-unclear":
    "no package manager of this host is the one for svc-ent; name the right one with `manager:` in a file below /etc/svc-upgrade",
  "plan-refused":
    "apt-get install svc-ent=16.2.0 failed: svc-ent : Depends: nowhere (>= 2) but it is not installable; see what stands in the way with `apt-get -s install svc-ent=16.2.0`",
  "package-untrusted":
    "apt-get install svc-ent=15.4.6 failed: E: There were unauthenticated packages and -y was used without --allow-unauthenticated; have the repository signed, and its key named by signed-by in its source",
  "package-mislabelled":
    "nothing was installed: the repository offers svc-ent 15.4.6 (amd64), and /var/cache/apt/archives/svc-ent_15.4.6_amd64.deb is evil 6.6.6 (amd64); have the repository corrected, or its list regenerated; until then nothing of it is installed",
  "database-broken":
    "apt-get install svc-ent=15.4.6 failed: E: dpkg was interrupted, you must manually run 'dpkg --configure -a' to correct the problem.; type `sudo dpkg --configure -a`",
  "no-way-back":
    "there is no version to roll back to: nothing was moved here yet, or nothing since the last rollback; see what the passes did: `svc-upgrade status`; to go forward again: `svc-upgrade retry`, then `svc-upgrade run --now`",
  "state-unreadable":
    "the state file was unreadable (it is not JSON) and lies now at /srv/images/agent/var/lib/svc-upgrade-decide/state.json.unreadable-N",
  "os-failed":
    "systemctl show svc.service failed: Failed to connect to bus: Connection refused; see whether systemd answers: `systemctl is-system-running`",
  "state-unwritable":
    "/srv/images/agent/var/lib/svc-upgrade-decide/lock could not be opened for locking: not a directory (ENOTDIR); look at `ls -ld /srv/images/agent/var/lib/svc-upgrade-decide`, and at the kernel's log: `sudo journalctl -k`",
  "file-failed":
    "/no-such-directory/asked.json could not be written: no such file or directory (ENOENT); make the directory: `sudo mkdir -p /no-such-directory`",
  busy: "another pass is running (process N, pass of the timer); follow it: `journalctl -fu svc-upgrade`",
  "channel-unreachable":
    "http://10.0.0.8:443/v1/webapi/automaticupgrades/channel/default/version cannot be reached directly (loopback is never proxied): the connection is refused (10.0.0.8:443, ECONNREFUSED); check that the service on 127.0.0.1 is up and the port is right; `svc-upgrade config` shows where `endpoint` is set; if this host needs a proxy, set HTTP_PROXY in /etc/default/svc: `echo 'HTTP_PROXY=http://HOST:PORT' | sudo tee -a /etc/default/svc`",
  "channel-failing":
    "https://proxy.example.com/v1/webapi/automaticupgrades/channel/default/version, asked directly (loopback is never proxied), answers with status 500; it is asked again by itself; if it stays so, look at the version server's log; `curl -v https://proxy.example.com/v1/webapi/automaticupgrades/channel/default/version` shows the whole answer",
  "proxy-unreachable":
    "the proxy http://10.0.0.8:443 (HTTPS_PROXY) cannot be reached: the connection is refused (10.0.0.8:443, ECONNREFUSED); check that the service on 127.0.0.1 is up and the port is right; HTTPS_PROXY is set in /etc/default/svc: `sudoedit /etc/default/svc`",
  "ask-failed": "svc-upgrade-ask.service ended without an answer; look at what it said: `journalctl -u svc-upgrade-ask`",
  "proxies-unread":
    "/etc/default/svc cannot be read, and which proxies it last held is not known: it is a named pipe; put a regular file in its place, or none where no proxy is needed; nothing is asked past a proxy that may be set there",
  "not-offered":
    "no repository of this host offers svc-ent 15.4.7; they offer 15.4.6, 15.4.5; `sudo chroot /srv/images/agent apt-cache policy svc-ent` shows what is offered: publish the version there, or enable the repository that has it; asked were /srv/images/agent/etc/apt/sources.list.d/test.list (https://proxy.example.com/packages)",
  "refresh-failed":
    "the package lists could not be refreshed: W: Failed to fetch http://10.0.0.8:443/packages/./InRelease  Could not connect to 10.0.0.8:443 (127.0.0.1). - connect (111: Connection refused); try it by hand: `sudo apt-get update`",
  "download-failed":
    "apt-get install svc-ent=15.4.6 failed: E: Failed to fetch file:/scratch/repo/./svc-ent_15.4.7%7erc.1-1_all.deb  Hash Sum mismatch; try the repository by hand with `sudo apt-get update`",
  "manager-busy": "apt is locked. It is held by process N (python3); wait for it to end; the next pass tries again",
  "no-space":
    "apt-get install svc-ent=15.4.6 failed: cannot copy extracted data for './usr/share/svc-ent/big' to '/scratch/root/usr/share/svc-ent/big.dpkg-new': failed to write (No space left on device); free some space: `sudo apt-get clean`; `df -h /usr /var` shows how much is left, `df -i /usr /var` how many files",
  "read-only":
    "dpkg --install svc-ent_15.4.6_amd64.deb failed: unable to create '/usr/bin/svc.dpkg-new' (while processing './usr/bin/svc'): Read-only file system; see with `findmnt --target /usr` why nothing can be written there; once it can, a later pass goes on by itself; a host that is always so is upgraded as a whole, for example by `transactional-update`",
  stopping:
    "asking https://proxy.example.com/v1/webapi/automaticupgrades/channel/default/version was stopped before it was answered; run `svc-upgrade dry-run` to ask again",
  overtaken: "nothing was changed: a hold was set while the pass prepared; nothing to do: a later pass goes on",
  interrupted: "apt-get was ended by SIGKILL; look into the system's journal for who ended it; the next pass tries again",
  "not-kept":
    "the move could not be rolled back: the package of svc-ent 15.4.5 cannot be had: apt-get download svc-ent=15.4.5 failed: E: Version '15.4.5' for 'svc-ent' was not found; offer it in a repository once more, or set keep_previous: prefer",
  "not-permitted": "this changes the host and needs root; `sudo svc-upgrade hold`, or only look: `svc-upgrade dry-run`",
  "settings-invalid": "2 settings are wrong; correct that, then see what holds: `svc-upgrade config`",
  "settings-untrusted":
    "settings are read only from files that root alone can write: /srv/images/agent/etc/svc-upgrade/20-test.yaml can be written by others (mode 666); look at what is in it, then: `sudo chown 0 /srv/images/agent/etc/svc-upgrade/20-test.yaml && sudo chmod go-w /srv/images/agent/etc/svc-upgrade/20-test.yaml`",
  "path-untrusted":
    'nothing is written to /proc/self/cwd/var/lib/svc-upgrade: "self" on the way is a symbolic link, and below another root none is followed; see who owns what on the way: `namei -l /proc/self/cwd/var/lib/svc-upgrade`',
  "mount-untrusted":
    "/srv/agent/svc is not looked at: it lies on /srv/agent, where user 1000 has mounted a file system of its own (fuse.sshfs), and only root's are entered; take it away: `sudo umount --force --lazy /srv/agent`",
  "endpoint-missing":
    "no endpoint is set: no file below /etc/svc-upgrade has one, and /srv/images/agent/etc/svc.yaml has no proxy_server; say where the cluster is: `sudo svc-upgrade enroll --endpoint https://proxy.example.com`",
  "proxy-invalid":
    "HTTPS_PROXY is not a usable proxy: its scheme is socks5, not http or https; set HTTPS_PROXY to scheme://host:port with http or https, for example http://proxy.example:3128; user and password, where it asks for them, stand before the host and end in an @; for the units it is set in /etc/default/svc: `sudoedit /etc/default/svc`",
  "trust-store-missing":
    "https needs the system's certificate store, and none was found in /etc/ssl/certs/no-such-bundle.crt; install one: `sudo apt-get install --reinstall ca-certificates`; or set `ca_file`",
  "ca-file-unusable":
    "ca_file /etc/svc-upgrade/no-such.pem does not exist; put the certificate of the authority that signed the server's into /etc/svc-upgrade/no-such.pem, in PEM form, or correct the setting ca_file",
  "host-unsupported": "apt-get is not installed; set `manager:` to the package manager that installs the agent on this host",
  "install-failed":
    "apt-get install svc-ent=15.4.6 failed: dpkg: error processing package svc-ent (--configure):; installed svc-ent package post-installation script subprocess returned error exit status 2; E: Sub-process /usr/bin/dpkg returned an error code (1); see what it says by hand: `sudo apt-get install svc-ent=15.4.6`",
  "verify-failed":
    "svc-ent is at 15.4.6, but its binary says it is 15.4.5; look at what the package manager said: `journalctl -u svc-upgrade`",
  "activate-failed":
    "svc.service is failed (failed) after a restart: svc.service: Failed with result 'exit-code'.; see `journalctl -u svc.service` and `systemctl status svc.service`",
  unhealthy:
    "svc.service is failed (failed): it went down, 1 second after it was brought up; see `journalctl -u svc.service` and `systemctl status svc.service`",
  "way-back-failed":
    "the rollback failed at the step back-install: apt-get install svc-ent=15.4.5 failed: cannot copy extracted data for './usr/share/svc-ent/big' to '/scratch/root/usr/share/svc-ent/big.dpkg-new': failed to write (No space left on device); free some space: `sudo apt-get clean`; `df -h /usr /var` shows how much is left, `df -i /usr /var` how many files; then `svc-upgrade retry`",
  bug: "svc-upgrade failed in a way it does not know: Cannot read properties of undefined (reading 'kind'); please report this with the lines of `journalctl -u svc-upgrade` around it",
};
