#!/bin/sh
# Makes a Debian root that has dnf or zypper one whose packages are rpms: rpm-base.sh ROOT, with /proc and /dev in place there.
# Debian builds these tools for work on foreign roots; what they need to be at home, and what RHEL sets, is put here.
set -eu
root=$1

mkdir -p "$root/etc/rpm" "$root/etc/yum.repos.d" "$root/etc/zypp/repos.d" "$root/etc/pki/rpm-gpg"
# Debian's rpm looks below root's home.
echo '%_dbpath /var/lib/rpm' >"$root/etc/rpm/macros"
# Debian's rpm says at each installation that it is the wrong tool; zypper would pass that on as a package script's words.
for option in -U:--upgrade -e:--erase; do
  printf 'rpm\talias %s\t%s --force-debian\n' "${option%:*}" "${option#*:}"
done >"$root/etc/popt"
chroot "$root" rpm --initdb

# One package stands for the root: packages that need a shell, a libc or a release find it in the rpm database too.
mkdir "$root/tmp/stand-in"
{
  cat <<'SPEC'
Name: debian-root
Version: 12
Release: 1
Summary: What lies in this root and is no rpm
License: none
AutoReqProv: no
Provides: /bin/sh
Provides: /usr/bin/sh
Provides: bash
Provides: ca-certificates
Provides: coreutils
Provides: glibc = 2.36
Provides: shadow
Provides: shadow-utils
Provides: system-release = 9
Provides: system-release(releasever) = 9
Provides: systemd = 252
Provides: util-linux
SPEC
  chroot "$root" sh -c 'find /lib/*-linux-gnu* /lib64 -name "*.so.*" | /usr/lib/rpm/elfdeps --provides' | sort -u | sed 's/^/Provides: /'
  cat <<'SPEC'
%description
%{summary}.
%files
SPEC
} >"$root/tmp/stand-in/debian-root.spec"
chroot "$root" rpmbuild --quiet -bb --define '_topdir /tmp/stand-in' /tmp/stand-in/debian-root.spec
chroot "$root" sh -c 'rpm --install --force-debian /tmp/stand-in/RPMS/*/*.rpm'
rm -rf "$root/tmp/stand-in"

if [ -e "$root/usr/bin/dnf-3" ]; then
  # RHEL's own values, and its name for the program.
  cat >"$root/etc/dnf/dnf.conf" <<'CONF'
[main]
gpgcheck=1
installonly_limit=3
clean_requirements_on_remove=True
best=True
skip_if_unavailable=False
CONF
  ln -s dnf-3 "$root/usr/bin/yum"
  # RHEL has these in packages of their own: one offers what was ever installed, the other adds a list to each transaction.
  rm "$root"/usr/lib/python3/dist-packages/dnf-plugins/local.py "$root"/usr/lib/python3/dist-packages/dnf-plugins/show_leaves.py
  rm "$root"/etc/dnf/plugins/local.conf
fi

if [ -e "$root/usr/bin/zypper" ]; then
  # Without one it makes a product out of Debian's os-release, which nothing provides, and finds the root broken.
  mkdir "$root/etc/products.d"
  cat >"$root/etc/products.d/lab.prod" <<PRODUCT
<?xml version="1.0" encoding="UTF-8"?>
<product schemeversion="0">
  <vendor>Lab</vendor><name>lab</name><version>15.4</version><release>0</release><arch>$(uname -m)</arch><summary>Lab</summary>
</product>
PRODUCT
  ln -s lab.prod "$root/etc/products.d/baseproduct"
fi

# No host of these families has dpkg. A scenario that wants both brings them back from there.
mkdir -p "$root/usr/local/lib/debian"
mv "$root"/usr/bin/apt* "$root"/usr/bin/dpkg* "$root/usr/local/lib/debian/"
ln -sf /dev/null "$root/etc/systemd/system/dpkg-db-backup.timer"
