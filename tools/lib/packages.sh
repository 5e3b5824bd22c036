# SPDX-License-Identifier: MIT
# The system's packages: which of tools/packages.txt are missing, and their installation. Sourced
# after say.sh.

# package_is_there KIND WHAT, as in the last two columns of the list.
package_is_there() {
	case $1 in
	command) command -v "$2" >/dev/null ;;
	module) command -v pkg-config >/dev/null && pkg-config --exists "$2" ;;
	file) compgen -G "$2" >/dev/null ;;
	*) give_up 1 "tools/packages.txt: \"$1\" is no way to look for a package" ;;
	esac
}

# packages_missing GROUP...: the Debian names, one a line.
packages_missing() {
	local group package kind what
	while read -r group package kind what; do
		case " $* " in
		*" $group "*) package_is_there "$kind" "$what" || printf '%s\n' "$package" ;;
		esac
	done < <(grep -v '^#' "$root/tools/packages.txt")
}

# packages_ensure GROUP...: installs what is missing, or says what it would need and exits 2.
packages_ensure() {
	local missing prefix=()
	mapfile -t missing < <(packages_missing "$@")
	[ ${#missing[@]} -gt 0 ] || return 0

	if ! command -v apt-get >/dev/null; then
		give_up 2 "These are missing, under the names that Debian 12 gives them:" \
			"    ${missing[*]}" \
			"This is not Debian, so please install them in your system's own way and start again."
	fi
	if [ "$(id -u)" -ne 0 ]; then
		if ! command -v sudo >/dev/null || ! sudo -n true 2>/dev/null; then
			give_up 2 "These packages are missing, and only root may install them:" \
				"    apt-get install --no-install-recommends ${missing[*]}" \
				"Please run that as root and start again."
		fi
		prefix=(sudo -n)
	fi
	quietly apt-update "Reading the list of packages" "${prefix[@]}" apt-get update || return 1
	quietly apt-install "Installing ${missing[*]}" \
		"${prefix[@]}" env DEBIAN_FRONTEND=noninteractive \
		apt-get install --yes --no-install-recommends "${missing[@]}" || return 1

	mapfile -t missing < <(packages_missing "$@")
	if [ ${#missing[@]} -gt 0 ]; then
		give_up 2 "Still missing after the installation: ${missing[*]}" \
			"tools/packages.txt says where each is looked for. Komadai is built on Debian 12."
	fi
}
