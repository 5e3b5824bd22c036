# SPDX-License-Identifier: MIT
# Node.js for the page's tools. Sourced after say.sh. Debian 12 ships Node 18, too old for Vite 8:
# there, a Node of an exact version comes from the npm package `node`, with an npm of its own (Debian's
# finds its modules on Debian's Node only).

node_pinned=22.23.3
npm_pinned=10.9.9

# node_is_new_enough VERSION: Vite 8 wants ^20.19.0 or >=22.12.0.
node_is_new_enough() {
	[[ $1 =~ ^v([0-9]+)\.([0-9]+)\.[0-9]+$ ]] || return 1
	local major=${BASH_REMATCH[1]} minor=${BASH_REMATCH[2]}
	case $major in
	20) [ "$minor" -ge 19 ] ;;
	22) [ "$minor" -ge 12 ] ;;
	*) [ "$major" -gt 22 ] ;;
	esac
}

# node_ensure: puts a new enough `node`, and `npm`, at the front of the PATH. Some node and npm are there:
# the group `node` of the packages.
node_ensure() {
	if node_is_new_enough "$(node --version)"; then
		return 0
	fi
	local home=$root/build/node
	local bin=$home/node_modules/.bin
	if [ "$("$bin/node" --version 2>/dev/null)" != "v$node_pinned" ] || [ ! -x "$bin/npm" ]; then
		rm -rf "$home"
		mkdir -p "$home"
		quietly node "Fetching Node.js $node_pinned: this machine's, $(node --version), is too old" \
			npm install --prefix "$home" --no-audit --no-fund \
			"node@$node_pinned" "npm@$npm_pinned" || return 1
	fi
	PATH=$bin:$PATH
	hash -r
}
