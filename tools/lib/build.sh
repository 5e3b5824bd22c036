# SPDX-License-Identifier: MIT
# The builds, each in its folder under build/. Sourced after node.sh.

# stamp_is FILE TEXT: the work that FILE stands for was done for exactly TEXT.
stamp_is() {
	[ -f "$1" ] && [ "$(cat "$1")" = "$2" ]
}

# build_c NAME COMPILER ARGUMENT...: sets build/NAME up when it is new, was set up otherwise, or the
# tree was moved; then compiles what changed.
build_c() {
	local name=$1 compiler=$2
	local dir=$root/build/$name
	shift 2
	local setup="$root $compiler $*"
	if [ ! -f "$dir/build.ninja" ] || ! stamp_is "$dir/komadai-setup" "$setup"; then
		rm -rf "$dir"
		quietly "setup-$name" "Preparing build/$name" \
			env CC="$compiler" meson setup "$dir" "$root" "$@" || return 1
		printf '%s\n' "$setup" >"$dir/komadai-setup"
	fi
	quietly "build-$name" "Compiling build/$name" ninja -C "$dir"
}

build_release() {
	build_c release gcc --buildtype=release -Dtests=false
}

build_wasm() {
	build_c wasm clang-14 --buildtype=release -Dtests=false --cross-file "$root/tools/wasm.cross"
}

# The page's packages, when web/package-lock.json is not the one they came from.
web_install() {
	local stamp=$root/web/node_modules/.komadai-stamp lock
	lock="$(sha256sum <"$root/web/package-lock.json") $(node --version)"
	stamp_is "$stamp" "$lock" && return 0
	quietly npm-ci "Fetching the page's packages" \
		npm ci --prefix "$root/web" --no-audit --no-fund || return 1
	printf '%s\n' "$lock" >"$stamp"
}

# Every file that the page is made of, as one hash.
web_inputs() {
	(
		cd "$root" || exit
		find web build/wasm/src/wasm -name node_modules -prune -o \
			-type f \( -path 'web/*' -o -name '*.wasm' \) -print0 |
			LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum
	)
}

build_web() {
	local stamp=$root/build/web.stamp inputs
	inputs=$(web_inputs) || return 1
	[ -f "$root/build/web/index.html" ] && stamp_is "$stamp" "$inputs" && return 0
	rm -f "$stamp"
	quietly build-web "Building the page" npm run build --prefix "$root/web" || return 1
	printf '%s\n' "$inputs" >"$stamp"
}

# build_npm: the npm package of the rules, in build/npm/komadai. KOMADAI_WASM names another module than
# that of build_wasm.
build_npm() {
	local out=$root/build/npm/komadai
	local module=${KOMADAI_WASM:-$root/build/wasm/src/wasm/komadai.wasm}
	rm -rf "$out"
	mkdir -p "$out"
	quietly build-npm "Building the npm package" "$root/web/node_modules/.bin/tsc" \
		--project "$root/web/tsconfig.npm.json" --outDir "$out/dist" || return 1
	# TypeScript leaves the names of files in declarations as they were.
	find "$out/dist" -name '*.d.ts' -exec sed -i "s/\.ts';$/.js';/" {} + || return 1
	install -m 644 "$module" "$out/dist/facade/mini-shogi.wasm" || return 1
	install -m 644 "$root/build/wasm/src/wasm/komadai-boxes.wasm" \
		"$out/dist/facade/petits-carres.wasm" || return 1
	install -m 644 "$root/build/wasm/src/wasm/komadai-boxes-engine.wasm" \
		"$out/dist/facade/petits-carres-engine.wasm" || return 1
	cp "$root/LICENSE" "$root/web/facade/npm/README.md" "$out" || return 1
	sed "s/@version@/$(project_version)/" "$root/web/facade/npm/package.json.in" \
		>"$out/package.json"
}

# The version that meson.build says, once for everything.
project_version() {
	sed -n "s/^  version: '\([^']*\)',$/\1/p" "$root/meson.build"
}

# bin/ holds links to the programs of build/release.
link_programs() {
	local program
	mkdir -p "$root/bin"
	for program in cli/komadai usi/komadai-usi match/komadai-match; do
		ln -sfn "../build/release/src/$program" "$root/bin/${program##*/}"
	done
}
