// SPDX-License-Identifier: MIT
/*
 * The installed copy as its users meet it: what `meson install` of a build leaves, the example compiled
 * against it, what the libraries show, and the man pages. The build is KOMADAI_BUILD, or build/gcc.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, before, run, test } from 'node:test';
import { tap } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';

const top = fileURLToPath(new URL('../..', import.meta.url));
const build = process.env.KOMADAI_BUILD ?? join(top, 'build/gcc');
const example = join(top, 'examples/thirty-lines.c');
const strict = ['-Wall', '-Wextra', '-pedantic', '-Werror'];

const formats = /formats: (.*)$/m;
const pages = ['komadai.1', 'komadai-match.1', 'komadai-usi.1', 'libkomadai.3'];

let scratch; /* a folder of this run's own */
let prefix; /* where the copy is, in it */
let libraries;
let env;

function call(command, words, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, words, {
    encoding: 'utf8',
    env,
    ...options,
  });
  assert.equal(error, undefined);
  return { status, stdout, stderr };
}

/* The output of a command that must do its work, and say nothing. */
function output(command, words, options) {
  const { status, stdout, stderr } = call(command, words, options);
  assert.equal(status, 0, `${command} ${words.join(' ')}\n${stdout}${stderr}`);
  assert.equal(stderr, '');
  return stdout;
}

const flags = (...words) =>
  output('pkg-config', [...words, 'komadai'])
    .trim()
    .split(/\s+/);

function listFiles(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? listFiles(path) : [path];
    })
    .sort();
}

/* The names that a library shows, as nm tells them. */
function shownNames(...words) {
  const found = output('nm', ['--defined-only', '--format=posix', ...words]).matchAll(
    /^(\S+) [A-Z] /gm,
  );
  return [...found].map(([, name]) => name).sort();
}

/* The functions that the installed header declares. */
function declaredNames() {
  const header = readFileSync(join(prefix, 'include/komadai/komadai.h'), 'utf8');
  const code = header.replace(/\/\*[\s\S]*?\*\//g, '');
  return [...code.matchAll(/\b(komadai_\w+)\(/g)].map(([, name]) => name).sort();
}

function expectExample(program) {
  const { status, stdout, stderr } = call(program, ['5d5c', '1b1c']);
  assert.equal(status, 0);
  assert.equal(stderr, '');
  const [legal, verdict, ...kif] = stdout.trimEnd().split('\n');
  assert.match(legal, /^\d+ legal moves: /);
  assert.equal(legal.split(' ').length, 3 + parseInt(legal, 10));
  assert.ok(legal.includes(' 5c5b'));
  assert.equal(verdict, 'player 0 moves');
  assert.equal(kif[0], '手合割：5五将棋');
  assert.match(kif.join('\n'), /^ *1 ５三歩\(54\)$/m);

  const over = call(program, ['5d5c', 'resign']);
  assert.match(over.stdout, /^0 legal moves:\nover: resignation, winner 0\n/);

  const refused = call(program, ['5d5c', '5d5c']);
  assert.equal(refused.status, 1);
  assert.equal(refused.stderr, '5d5c: there is no piece on that square\n');
}

/* The whole program that docs/api.md shows, by what it calls. */
function documentedProgram(name) {
  const blocks = readFileSync(join(top, 'docs/api.md'), 'utf8').matchAll(/^```c\n(.*?)^```$/gms);
  const found = [...blocks].filter(([, code]) => code.includes('main(') && code.includes(name));
  assert.equal(found.length, 1, name);
  return found[0][1];
}

if (process.env.NODE_TEST_CONTEXT === undefined) {
  let passed = 0;
  let failed = 0;
  process.exitCode = 1;
  run({ files: [fileURLToPath(import.meta.url)] })
    .on('test:pass', () => passed++)
    .on('test:fail', () => failed++)
    .on('end', () => (process.exitCode = passed > 0 && failed === 0 ? 0 : 1))
    .compose(tap)
    .pipe(process.stdout);
} else {
  before(() => {
    scratch = mkdtempSync(join(tmpdir(), 'komadai-install-'));
    const copy = join(scratch, 'copy');
    const { status, stdout, stderr } = call(
      'meson',
      ['install', '--no-rebuild', '-C', build, '--destdir', copy],
      { env: process.env },
    );
    assert.equal(status, 0, stdout + stderr);
    const description = listFiles(copy).find((file) => file.endsWith('/pkgconfig/komadai.pc'));
    assert.ok(description, 'a file for pkg-config');
    prefix = join(copy, /^prefix=(.*)$/m.exec(readFileSync(description, 'utf8'))[1]);
    libraries = join(description, '../..');
    env = {
      PATH: process.env.PATH,
      PKG_CONFIG_PATH: join(libraries, 'pkgconfig'),
      PKG_CONFIG_SYSROOT_DIR: copy,
      MANPATH: join(prefix, 'share/man'),
      LD_LIBRARY_PATH: libraries,
    };
  });
  after(() => rmSync(scratch, { recursive: true, force: true }));

  test('the copy holds programs, header, libraries, and man pages, and nothing else', () => {
    const version = output('pkg-config', ['--modversion', 'komadai']).trim();
    const major = version.split('.')[0];
    const lib = relative(prefix, libraries);
    const expected = [
      'bin/komadai',
      'bin/komadai-match',
      'bin/komadai-play',
      'bin/komadai-usi',
      'include/komadai/komadai.h',
      `${lib}/libkomadai.a`,
      `${lib}/libkomadai.so`,
      `${lib}/libkomadai.so.${major}`,
      `${lib}/libkomadai.so.${version}`,
      `${lib}/pkgconfig/komadai.pc`,
      ...pages.map((page) => `share/man/man${page.at(-1)}/${page}`),
    ];
    const found = listFiles(prefix).map((file) => relative(prefix, file));
    assert.deepEqual(found, expected.sort());
    for (const page of pages) {
      const file = join(prefix, `share/man/man${page.at(-1)}/${page}`);
      assert.equal(statSync(file).mode & 0o777, 0o644);
    }
  });

  test('the unit of systemd goes where it is asked to', () => {
    const folder = join(scratch, 'units');
    const asked = ['-Dtests=false', '-Dsystemd_unit_dir=/lib/systemd/system'];
    assert.equal(call('meson', ['setup', folder, top, ...asked], { env: process.env }).status, 0);
    const files = JSON.parse(output('meson', ['introspect', '--installed', folder]));
    const unit = join(top, 'dist/systemd/komadai.service');
    assert.equal(files[unit], '/lib/systemd/system/komadai.service');
  });

  test('the programs run, and are of one version', () => {
    const version = output('pkg-config', ['--modversion', 'komadai']).trim();
    const bin = join(prefix, 'bin');
    assert.equal(output(join(bin, 'komadai'), ['--version']), `komadai ${version}\n`);
    assert.equal(output(join(bin, 'komadai-usi'), ['--version']), `komadai-usi ${version}\n`);
    assert.match(output(join(bin, 'komadai-match'), ['--help']), /^usage: komadai-match /);
    const { status, stderr } = call(join(bin, 'komadai'), ['play']);
    assert.equal(status, 2);
    assert.match(stderr, /^komadai play: the link is missing/);
  });

  for (const compiler of ['gcc', 'clang-14']) {
    test(`the example works with the shared library, compiled by ${compiler}`, () => {
      const program = join(scratch, `shared-${compiler}`);
      const words = ['-std=c17', ...strict, example, '-o', program];
      output(compiler, [...words, ...flags('--cflags', '--libs')]);
      assert.match(output('readelf', ['-d', program]), /NEEDED.*\[libkomadai\.so\.\d+\]/);
      expectExample(program);
    });
  }

  test('the example works with the static library, and with nothing shared at all', () => {
    const program = join(scratch, 'static');
    const words = ['-std=c17', ...strict, '-static', example, '-o', program];
    output('gcc', [...words, ...flags('--static', '--cflags', '--libs')]);
    assert.doesNotMatch(output('readelf', ['-d', program]), /NEEDED/);
    expectExample(program);
  });

  test('the program of docs/api.md prints the best lines of Petits carrés', () => {
    const source = join(scratch, 'best-lines.c');
    const program = join(scratch, 'best-lines');
    writeFileSync(source, documentedProgram('komadai_boxes_analyse'));
    const words = ['-std=c17', ...strict, source, '-o', program];
    output('gcc', [...words, ...flags('--cflags', '--libs')]);
    assert.equal(
      output(program, ['2x2 100001101100']),
      '11 B2R -2: it gives no box a third side\n',
    );
    assert.equal(output(program, ['2x2']).split('\n').length, 9);
    assert.equal(output(program, ['6x7']), '');
  });

  test('the header is C from C99 on, and C++ from C++11 on, whose programs link', () => {
    const source = join(scratch, 'header.c');
    writeFileSync(
      source,
      '#include <komadai/komadai.h>\nint main(void) { return !komadai_version(); }\n',
    );
    for (const standard of ['c99', 'c11', 'c17'])
      for (const compiler of ['gcc', 'clang-14'])
        output(compiler, [
          `-std=${standard}`,
          ...strict,
          '-fsyntax-only',
          source,
          ...flags('--cflags'),
        ]);
    for (const standard of ['c++11', 'c++17']) {
      const object = join(scratch, 'header.o');
      const program = join(scratch, 'header');
      const words = ['-x', 'c++', `-std=${standard}`, ...strict, '-c', source, '-o', object];
      output('clang-14', [...words, ...flags('--cflags')]);
      output('clang-14', [object, '-o', program, ...flags('--libs')]);
      output(program, []);
    }
  });

  test('both libraries show what the header declares, and no other name', () => {
    const declared = declaredNames();
    assert.ok(declared.length > 20);
    assert.deepEqual(shownNames('--extern-only', join(libraries, 'libkomadai.a')), declared);
    assert.deepEqual(shownNames('--dynamic', join(libraries, 'libkomadai.so')), declared);
  });

  /* Such objects are no machine code yet, and their names cannot be hidden as they are. */
  for (const compiler of ['gcc', 'clang-14']) {
    test(`so does the static one of ${compiler} when it optimises at link time`, () => {
      const folder = join(scratch, `lto-${compiler}`);
      const library = join(folder, 'src/api/libkomadai.a');
      const program = join(scratch, `static-lto-${compiler}`);
      const setup = ['setup', folder, top, '--buildtype=release', '-Db_lto=true', '-Dtests=false'];
      output('meson', setup, { env: { ...process.env, CC: compiler } });
      output('ninja', ['-j2', '-C', folder, 'src/api/libkomadai.a'], { env: process.env });
      assert.deepEqual(shownNames('--extern-only', library), declaredNames());
      /* By the other compiler too, which knows nothing of the first one's objects. */
      for (const linker of ['gcc', 'clang-14']) {
        const words = [example, library, '-o', program, ...flags('--cflags')];
        output(linker, [...words, '-ljansson', '-lm']);
        expectExample(program);
      }
    });
  }

  test('the man pages are well-formed, and refer to pages that there are', () => {
    output('makewhatis', [join(prefix, 'share/man')]);
    for (const page of pages) {
      const file = join(prefix, `share/man/man${page.at(-1)}/${page}`);
      assert.equal(output('mandoc', ['-T', 'lint', '-W', 'style', file]), '', page);
      const references = readFileSync(file, 'utf8').matchAll(/^\.Xr (\S+) (\d)/gm);
      for (const [, name, section] of references) assert.ok(pages.includes(`${name}.${section}`));
    }
  });

  test('the man page has every command, option, ruleset and format of `komadai help`', () => {
    const help = output(join(prefix, 'bin/komadai'), ['help']);
    const page = readFileSync(join(prefix, 'share/man/man1/komadai.1'), 'utf8');
    const commands = [...help.matchAll(/^ {2}komadai (\w+)(.*)$/gm)];
    assert.ok(commands.length >= 7);
    for (const [, name, usage] of commands) {
      assert.ok(page.includes(`\n.Cm ${name}\n`), `${name} in the synopsis`);
      assert.ok(page.includes(`\n.It Cm ${name}\n`), `${name} in the list`);
      const synopsis = page.slice(page.indexOf(`\n.Cm ${name}\n`)).split('\n.Nm\n')[0];
      for (const [, option] of usage.matchAll(/--([a-z-]+)/g))
        assert.match(synopsis, new RegExp(`Fl -${option}\\b`), `${name} --${option}`);
    }
    for (const name of formats.exec(help)[1].split(' '))
      assert.match(page, new RegExp(`^\\.Cm ${name}\\b`, 'm'), name);
    for (const name of /: (\S+ \S+); formats/.exec(help)[1].split(' '))
      assert.match(page, new RegExp(`^\\.Cm ${name}\\b`, 'm'), name);
  });

  test('the man page of the library has every function', () => {
    const page = readFileSync(join(prefix, 'share/man/man3/libkomadai.3'), 'utf8');
    const [, names] = /^\.Sh SYNOPSIS\n(.*?)^\.Sh /ms.exec(page);
    const described = [...names.matchAll(/^\.F[no] (komadai_\w+)/gm)];
    assert.deepEqual(described.map(([, name]) => name).sort(), declaredNames());
  });
}
