// SPDX-License-Identifier: MIT
// The shell functions of ./run and ./test, on a machine made of a few fake programs.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const top = fileURLToPath(new URL('../..', import.meta.url));
const ours =
  'awk bash cat cp env find grep head ln mkdir rm sed sha256sum sort tail touch true xargs'.split(
    ' ',
  );
const fake = (text) => `#!/bin/sh\n${text}\n`;

/*
 * Runs `script` in bash with the files of tools/lib at hand, in a tree whose name has a space, on a PATH
 * that holds a few ordinary programs and `programs` (name: text). `list` is tools/packages.txt.
 */
function run(script, { programs = {}, list = '' } = {}) {
  const root = mkdtempSync(join(tmpdir(), 'komadai scripts '));
  try {
    const bin = join(root, 'fake bin');
    mkdirSync(bin);
    mkdirSync(join(root, 'tools'));
    cpSync(join(top, 'tools/lib'), join(root, 'tools/lib'), { recursive: true });
    writeFileSync(join(root, 'tools/packages.txt'), list);
    for (const name of ours) {
      const found = ['/usr/bin', '/bin'].map((folder) => join(folder, name));
      const real = found.find((file) => spawnSync('test', ['-x', file]).status === 0);
      symlinkSync(real, join(bin, name));
    }
    for (const [name, text] of Object.entries(programs)) {
      writeFileSync(join(bin, name), text);
      chmodSync(join(bin, name), 0o755);
    }
    const sources = ['say', 'packages', 'node', 'build', 'suites'];
    const head = sources.map((name) => `. "$root/tools/lib/${name}.sh"`).join('\n');
    const { status, stdout, stderr } = spawnSync(
      '/bin/bash',
      ['-c', `set -euo pipefail\nroot=$PWD\n${head}\n${script}`],
      { cwd: root, env: { PATH: bin }, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
    );
    return { status, stdout, stderr };
  } finally {
    rmSync(root, { recursive: true });
  }
}

const list = [
  '# a comment',
  'run   there      command  there',
  'run   absent-a   command  absent-a',
  'test  absent-b   module   absent-b',
  'node  absent-c   file     /nonexistent/*/file',
  '',
].join('\n');
const there = fake('exit 0');

test('packages__names_what_is_missing_in_the_groups_asked_for', () => {
  const { stdout, status } = run('packages_missing run test', { programs: { there }, list });
  assert.equal(status, 0);
  assert.equal(stdout, 'absent-a\nabsent-b\n');
});

test('packages__does_nothing_when_nothing_is_missing', () => {
  const { stdout, stderr, status } = run('packages_ensure run; echo after', {
    programs: { there, 'absent-a': there },
    list,
  });
  assert.deepEqual({ stdout, stderr, status }, { stdout: 'after\n', stderr: '', status: 0 });
});

test('packages__says_what_it_needs_where_there_is_no_apt', () => {
  const { stderr, status } = run('packages_ensure run node', { programs: { there }, list });
  assert.equal(status, 2);
  assert.match(stderr, /^ {4}absent-a absent-c$/m);
  assert.match(stderr, /not Debian/);
});

const user = { id: fake('echo 1000'), 'apt-get': fake('echo ran; exit 1') };

test('packages__says_what_root_must_run_where_there_is_no_sudo', () => {
  const { stderr, status } = run('packages_ensure run', { programs: { there, ...user }, list });
  assert.equal(status, 2);
  assert.match(stderr, /^ {4}apt-get install --no-install-recommends absent-a$/m);
});

test('packages__does_not_wait_for_a_password', () => {
  const { status } = run('packages_ensure run', {
    programs: { there, ...user, sudo: fake('[ "$1" = -n ] && exit 1; read password') },
    list,
  });
  assert.equal(status, 2);
});

const installer = fake(
  'case $1 in update) ;; install) for last; do :; done; touch "${0%/*}/$last"; /bin/chmod +x "${0%/*}/$last" ;; esac',
);

test('packages__installs_what_is_missing_as_root', () => {
  const { stdout, status } = run('packages_ensure run; packages_missing run', {
    programs: { there, id: fake('echo 0'), 'apt-get': installer },
    list,
  });
  assert.equal(status, 0);
  assert.equal(stdout, 'Reading the list of packages\nInstalling absent-a\n');
});

test('packages__installs_through_sudo', () => {
  const { status } = run('packages_ensure run', {
    programs: {
      there,
      id: fake('echo 1000'),
      sudo: fake('shift; exec "$@"'),
      'apt-get': installer,
    },
    list,
  });
  assert.equal(status, 0);
});

test('packages__stops_when_the_installation_changed_nothing', () => {
  const { stderr, status } = run('packages_ensure run', {
    programs: { there, id: fake('echo 0'), 'apt-get': there },
    list,
  });
  assert.equal(status, 2);
  assert.match(stderr, /Still missing after the installation: absent-a/);
});

test('packages__stops_and_shows_why_when_the_installation_fails', () => {
  const { stdout, stderr, status } = run('packages_ensure run; echo after', {
    programs: { there, id: fake('echo 0'), 'apt-get': fake('echo the mirror is away; exit 100') },
    list,
  });
  assert.equal(status, 1);
  assert.match(stderr, /the mirror is away/);
  assert.doesNotMatch(stdout, /after/);
});

const nodes = {
  'v18.20.4': 1,
  'v20.18.9': 1,
  'v20.19.0': 0,
  'v20.20.2': 0,
  'v21.9.0': 1,
  'v22.11.0': 1,
  'v22.12.0': 0,
  'v23.0.0': 0,
  'v26.1.0': 0,
  '20.19.0': 1,
  '': 1,
};
for (const [version, expected] of Object.entries(nodes)) {
  test(`node__${expected === 0 ? 'takes' : 'refuses'}_version_"${version}"`, () => {
    assert.equal(run(`node_is_new_enough "${version}"`).status, expected);
  });
}

test('node__uses_the_machine_s_own_when_it_will_do', () => {
  const { stdout, status } = run('before=$PATH; node_ensure; [ "$PATH" = "$before" ]', {
    programs: { node: fake('echo v20.20.2'), npm: fake('echo ran; exit 1') },
  });
  assert.deepEqual({ stdout, status }, { stdout: '', status: 0 });
});

test('node__is_fetched_once_in_its_pinned_version_where_the_machine_s_own_is_too_old', () => {
  const npm = fake(
    `mkdir -p "$3/node_modules/.bin"; cd "$3/node_modules/.bin"; echo "$*" >args
     for name in node npm; do printf '#!/bin/sh\\necho v%s\\n' "\${6#node@}" >$name; /bin/chmod +x $name; done`,
  );
  const { stdout, stderr, status } = run(
    'node_ensure; node --version; cat "$root/build/node/node_modules/.bin/args"; ( node_ensure ); node_ensure',
    { programs: { node: fake('echo v18.20.4'), npm } },
  );
  assert.equal(status, 0, stderr);
  const [said, version, args, ...rest] = stdout.trimEnd().split('\n');
  assert.match(said, /^Fetching Node\.js .* v18\.20\.4, is too old$/);
  assert.match(version, /^v22\.\d+\.\d+$/);
  assert.match(args, /--prefix .*\/build\/node .* node@22\.\d+\.\d+ npm@10\.\d+\.\d+$/);
  assert.deepEqual(rest, []);
});

test('quietly__shows_the_end_of_the_log_on_failure_only', () => {
  const good = run('quietly a "Doing a" echo chatter');
  assert.deepEqual(good, { status: 0, stdout: 'Doing a\n', stderr: '' });
  const bad = run('quietly b "Doing b" bash -c "echo chatter; exit 3"; echo after');
  assert.equal(bad.status, 1);
  assert.equal(bad.stdout, 'Doing b\n');
  assert.match(bad.stderr, /^chatter$/m);
});

/* Nobody may write below a file, not even root. */
test('quietly__says_that_the_folder_cannot_be_written', () => {
  const { status, stderr } = run('rm -rf build; : >build; quietly a "Doing a" true', {
    programs: { id: fake('echo somebody') },
  });
  assert.equal(status, 2);
  assert.match(stderr, /cannot be written by somebody: \//);
  assert.match(stderr, /folder of your own/);
});

/* ./test in small: the status and the last line. */
function tally(suites) {
  const { status, stdout } = run(`${suites}\ntally`);
  return [status, stdout.trimEnd().split('\n').at(-1)];
}

test('suites__end_with_one_line_that_says_all', () => {
  assert.deepEqual(tally('a() { echo "ok - x"; point y true; }; suite a A a; suite b B a'), [
    0,
    '4 passed, 0 failed',
  ]);
});

test('suites__count_a_failed_command_and_go_on', () => {
  assert.deepEqual(tally('a() { point x false; point y true; }; suite a A a'), [
    1,
    '1 passed, 1 failed',
  ]);
});

test('suites__stop_at_a_command_that_fails', () => {
  assert.deepEqual(tally('a() { echo "ok - x"; false; echo "ok - y"; }; suite a A a'), [
    1,
    '1 passed, 1 failed',
  ]);
});

test('suites__count_one_that_ran_nothing', () => {
  assert.deepEqual(tally('suite a A true'), [1, '0 passed, 1 failed']);
});

test('suites__fail_when_there_is_none', () => {
  assert.deepEqual(tally(''), [1, '0 passed, 0 failed']);
});

test('suites__show_what_failed', () => {
  const { stdout } = run(
    'a() { printf "not ok 1 - x\\n# because\\nok 2 - y\\n# quiet\\n"; echo "said aside" >&2; }\nsuite a A a',
  );
  assert.match(stdout, /^ {4}not ok 1 - x\n {4}# because\n {4}said aside$/m);
  assert.doesNotMatch(stdout, /quiet/);
});

/* A meson that sets a folder up, and a ninja that counts how often it ran there. */
const builders = {
  meson: fake('mkdir -p "$2"; echo "$CC $*" >>"$2/../setups"; : >"$2/build.ninja"'),
  ninja: fake('echo "$2" >>"$2/../builds"'),
};

test('build_c__sets_up_once_and_compiles_each_time', () => {
  const { stdout, status } = run(
    'build_c a gcc -Dx=1; build_c a gcc -Dx=1; cd build; cat setups builds',
    { programs: builders },
  );
  assert.equal(status, 0);
  assert.match(
    stdout,
    /^Preparing build\/a\n(Compiling build\/a\n){2}gcc setup .*\/build\/a .* -Dx=1\n(.*\/build\/a\n){2}$/,
  );
});

const setups = (script) =>
  run(`${script}\ncat "$root/build/setups"`, { programs: builders })
    .stdout.split('\n')
    .filter((line) => line.includes(' setup ')).length;

test('build_c__sets_up_again_when_the_arguments_changed', () => {
  assert.equal(setups('build_c a gcc -Dx=1; build_c a gcc -Dx=2'), 2);
});

test('build_c__sets_up_again_when_the_compiler_changed', () => {
  assert.equal(setups('build_c a gcc; build_c a clang-14'), 2);
});

test('build_c__sets_up_again_when_the_tree_was_moved', () => {
  const moved =
    'build_c a gcc; mkdir moved; cp -r build moved/build; root=$root/moved; log_dir=$root/build/log; build_c a gcc';
  assert.equal(setups(moved), 2);
});

test('build_c__sets_up_again_after_a_set_up_that_failed', () => {
  const failing = {
    ...builders,
    meson: fake(
      `[ -f ok ] || { mkdir -p "$2"; : >"$2/build.ninja"; touch ok; exit 1; }\n${builders.meson}`,
    ),
  };
  const { status, stdout } = run('if build_c a gcc; then exit 9; fi; build_c a gcc', {
    programs: failing,
  });
  assert.equal(status, 0);
  assert.equal(stdout, 'Preparing build/a\nPreparing build/a\nCompiling build/a\n');
});

test('build_c__fails_with_the_compiler', () => {
  const failing = { ...builders, ninja: fake('echo "error: x"; exit 1') };
  const { status, stderr } = run('build_c a gcc; echo after >&2', { programs: failing });
  assert.equal(status, 1);
  assert.match(stderr, /^error: x$/m);
  assert.doesNotMatch(stderr, /after/);
});

const npm = fake('echo "$1" >>calls; mkdir -p web/node_modules build/web; : >build/web/index.html');
const page = { npm, node: fake('echo v20.20.2') };

test('web_install__runs_when_the_lock_file_changed_only', () => {
  const { stdout } = run(
    'mkdir web; echo a >web/package-lock.json; web_install; web_install; echo b >web/package-lock.json; web_install; cat calls',
    { programs: page },
  );
  assert.equal(stdout.match(/^ci$/gm)?.length, 2);
});

test('web_install__runs_again_after_a_failure', () => {
  const { stdout } = run(
    'mkdir web; echo a >web/package-lock.json; web_install || true; web_install; cat calls',
    { programs: { ...page, npm: fake(`${npm}\n[ -f web/ok ] || { touch web/ok; exit 1; }`) } },
  );
  assert.equal(stdout.match(/^ci$/gm)?.length, 2);
});

test('build_web__runs_when_a_file_of_the_page_or_the_module_changed_only', () => {
  const { stdout, stderr } = run(
    `mkdir -p web/app web/node_modules build/wasm/src/wasm
     echo a >"web/app/a b.ts"; echo m >build/wasm/src/wasm/komadai.wasm
     build_web; build_web; echo c >web/node_modules/c.js; build_web
     echo b >"web/app/a b.ts"; build_web
     echo n >build/wasm/src/wasm/komadai.wasm; build_web; cat calls`,
    { programs: page },
  );
  assert.equal(stdout.match(/^run$/gm)?.length, 3, stderr);
});

test('link_programs__links_the_three_and_can_be_repeated', () => {
  const { stdout } = run(
    `mkdir -p build/release/src/cli; printf '#!/bin/sh\\necho komadai' >build/release/src/cli/komadai
     /bin/chmod +x build/release/src/cli/komadai; link_programs; link_programs; bin/komadai; cd bin; for name in *; do [ -L $name ] && echo $name; done`,
  );
  assert.equal(stdout, 'komadai\nkomadai\nkomadai-match\nkomadai-usi\n');
});

test('packages__list_is_well_formed', () => {
  const text = readFileSync(join(top, 'tools/packages.txt'), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  assert.ok(lines.length > 10);
  for (const line of lines) {
    assert.match(line, /^(run|node|test) +[a-z0-9.+-]+ +(command|module|file) +\S+$/);
  }
});

for (const [script, args] of [
  ['run', ['--build-only', '--listen', '127.0.0.1:1']],
  ['test', ['--short']],
  ['test', ['--long', 'twice']],
]) {
  test(`${script}__refuses_${args.join(' ')}`, () => {
    const { status, stdout, stderr } = spawnSync(join(top, script), args, { encoding: 'utf8' });
    assert.deepEqual({ status, stdout }, { status: 2, stdout: '' });
    assert.notEqual(stderr, '');
  });
}

test('meson_tap__nests_what_each_program_printed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'komadai log '));
  const log = join(folder, 'testlog.json');
  const results = [
    { name: 'good', result: 'OK', stdout: '1..1\nok 1 - a\n' },
    { name: 'bad', result: 'FAIL', stdout: '1..2\nok 1 - b\nnot ok 2 - c\n' },
    { name: 'crashed', result: 'ERROR', stdout: 'ok 1 - d\n', stderr: 'AddressSanitizer: why\n' },
    { name: 'silent', result: 'TIMEOUT' },
  ];
  writeFileSync(log, results.map((result) => `${JSON.stringify(result)}\n`).join(''));
  const { stdout } = spawnSync(process.execPath, [join(top, 'tools/lib/meson-tap.mjs'), log], {
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  const { stdout: counted } = spawnSync('awk', ['-f', join(top, 'tools/lib/tally.awk')], {
    input: stdout,
    encoding: 'utf8',
  });
  assert.equal(counted, '3 3\n');
  assert.match(stdout, /AddressSanitizer: why/);
});
