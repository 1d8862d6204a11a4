# SPDX-License-Identifier: Apache-2.0
# debian_source.sh unpacks Debian's source packages with apt's ordinary client, for
# scripts that read this file. They set
#   out   a folder for lists, archives and the log, apt.log
# and define die CODE WORD..., which says why they end.

as_root()
{
	if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# install PACKAGE... installs what is missing.
install()
{
	missing=$(for name; do
		dpkg-query -W -f '${Status}' "$name" 2>/dev/null |
			grep -q 'ok installed' || echo "$name"
	done)
	[ -n "$missing" ] || return 0
	echo "installing" $missing >&2
	# shellcheck disable=SC2086 # a list of words
	as_root env DEBIAN_FRONTEND=noninteractive apt-get -q install -y \
		--no-install-recommends $missing >>"$out/apt.log" 2>&1 ||
		die 69 "cannot install" $missing": $out/apt.log"
}

# apt ARG... is apt-get with lists of its own, of the sources of all packages
# that this system takes from Debian.
apt()
{
	APT_CONFIG=$out/apt/conf apt-get -q "$@" >>"$out/apt.log" 2>&1
}

apt_start()
{
	[ ! -f "$out/apt/conf" ] || return 0
	mkdir -p "$out/apt/lists/partial" "$out/apt/cache/archives/partial"
	apt-get indextargets --format \
		'$(ORIGIN)|deb-src $(SITE) $(RELEASE) $(COMPONENT)' \
		'Created-By: Packages' |
		sed -nE 's/^(Debian|Ubuntu)\|//p' | sort -u \
		>"$out/apt/sources.list"
	cat >"$out/apt/conf.new" <<-CONF
		Dir::Etc::SourceList "$out/apt/sources.list";
		Dir::Etc::SourceParts "-";
		Dir::State::Lists "$out/apt/lists";
		Dir::Cache "$out/apt/cache";
		APT::Sandbox::User "root";
	CONF
	mv "$out/apt/conf.new" "$out/apt/conf"
	apt update --error-on=any || {
		rm "$out/apt/conf"
		die 69 "no sources: $out/apt.log"
	}
}

# unpack_in FOLDER SOURCE makes FOLDER/source.new of Debian's sources, or, if the
# mirror lacks Debian's changes, of the original ones.
unpack_in()
{
	cd "$1" || return
	apt --download-only source "$2" &&
		dpkg-source --no-check -x ./*.dsc source.new && return
	apt --download-only --tar-only source "$2" && mkdir source.new &&
		tar -C source.new --strip-components=1 -xf ./*.orig.tar.[gx]z
}

# debian_source FOLDER SOURCE makes FOLDER/source.new.
debian_source()
{
	install dpkg-dev
	apt_start
	(unpack_in "$1" "$2") >>"$out/apt.log" 2>&1 ||
		die 69 "no sources of $2: $out/apt.log"
}
