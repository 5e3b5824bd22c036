// SPDX-License-Identifier: MIT
/* Accessibility, layout and screenshots. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { button, openTable, PATH, playPly } from './table.mjs';

const SIZES = [
  { width: 320, height: 568 },
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];
const LEAST_BOARD = 280;
const LEAST_TARGET = 44;

async function violations(page, axe) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run(document));
  return found.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
}

async function playUntil(page, game, stop) {
  for (const ply of game.plies) {
    if (stop(ply)) return;
    await playPly(page, ply);
  }
}

/* Every sort of page, as [name, how to get there]. */
function views({ server, game }) {
  const table = (page) => openTable(page, server.url);
  return [
    ['home', (page) => page.goto(server.url)],
    ['not-found', (page) => page.goto(`${server.url}/nowhere`)],
    ['not-shown', (page) => page.goto(`${server.url}/rubriques/jeux-inconnu`)],
    ['start', table],
    [
      'check',
      async (page) => {
        await table(page);
        for (const ply of game.plies) {
          await playPly(page, ply);
          if (ply.check) break;
        }
      },
    ],
    [
      'selected',
      async (page) => {
        await table(page);
        await playUntil(page, game, ({ action }) => action.type === 'drop');
        const slots = page.locator('[data-piece]:not([aria-disabled="true"]):not(:disabled)');
        await slots.first().click();
      },
    ],
    [
      'promotion',
      async (page) => {
        await table(page);
        const { from, to } = game.plies.find(({ asked }) => asked).action;
        await playUntil(page, game, ({ asked }) => asked);
        await page.click(`[data-square="${from}"]`);
        await page.click(`[data-square="${to}"]`);
        await page.waitForSelector('[data-testid="question"]');
      },
    ],
    [
      'over',
      async (page) => {
        await table(page);
        await playUntil(page, game, () => false);
      },
    ],
    [
      'refused',
      async (page) => {
        await table(page);
        await page.click('[data-square="15"]');
        await page.click('[data-square="12"]');
      },
    ],
    ['invited', (page) => openTable(page, server.url, `#invite=zzzzzzzzzzzz.${'A'.repeat(22)}`)],
    [
      'waiting',
      async (page) => {
        await table(page);
        await button(page, 'Créer un salon').click();
        await page.getByLabel('Lien d’invitation').waitFor();
        await page.locator('[data-testid="connection"].live').waitFor();
      },
    ],
    [
      'broken',
      async (page) => {
        await page.route('**/*.wasm', (route) => route.abort());
        await page.goto(`${server.url}${PATH}#invite=zzzzzzzzzzzz.${'A'.repeat(22)}`);
        await page.waitForSelector('[data-testid="broken"]');
      },
    ],
  ];
}

async function measure(page) {
  return page.evaluate(() => {
    const box = (element) => {
      const { width, height, left, right } = element.getBoundingClientRect();
      return { width, height, left, right };
    };
    const all = (selector) => [...document.querySelectorAll(selector)].map(box);
    return {
      overflow: document.documentElement.scrollWidth - window.innerWidth,
      board: all('[data-testid="board"]'),
      targets: all('[data-piece], .button, [data-square]'),
      window: window.innerWidth,
    };
  });
}

export const tests = {
  'axe finds nothing, in light and in dark': async (bench) => {
    const found = [];
    for (const colorScheme of ['light', 'dark']) {
      for (const [name, goTo] of views(bench)) {
        const page = await bench.open({ colorScheme, viewport: SIZES[2] });
        await goTo(page);
        for (const problem of await violations(page, bench.axe)) {
          found.push(`${name}, ${colorScheme}: ${problem}`);
        }
        await page.context().close();
      }
    }
    assert.deepEqual(found, []);
  },

  'every view fits every window, with targets large enough for a finger': async (bench) => {
    mkdirSync(bench.shots, { recursive: true });
    for (const viewport of SIZES) {
      for (const [name, goTo] of views(bench)) {
        const page = await bench.open({ viewport });
        await goTo(page);
        const where = `${name} at ${viewport.width}×${viewport.height}`;
        await page.screenshot({ path: join(bench.shots, `${name}-${viewport.width}.png`) });
        const seen = await measure(page);
        assert.ok(seen.overflow <= 0, `${where} scrolls sideways by ${seen.overflow}`);
        for (const board of seen.board) {
          assert.ok(board.width >= LEAST_BOARD, `${where}: the board is ${board.width} wide`);
          assert.ok(Math.abs(board.width - board.height) < 1, `${where}: the board is square`);
        }
        for (const target of seen.targets) {
          assert.ok(
            target.width >= LEAST_TARGET && target.height >= LEAST_TARGET,
            `${where}: a target of ${target.width}×${target.height}`,
          );
        }
        await page.context().close();
      }
    }
  },

  'the board keeps its place when something is said': async ({ open, server }) => {
    for (const viewport of SIZES) {
      const page = await open({ viewport });
      await openTable(page, server.url);
      const top = () =>
        page
          .locator('[data-testid="board"]')
          .evaluate((board) => board.getBoundingClientRect().top);
      const before = await top();
      await page.click('[data-square="15"]');
      await page.click('[data-square="5"]');
      assert.equal(await top(), before, `at ${viewport.width}`);
    }
  },

  'forced colours, print and 200 % zoom keep the board': async ({ open, server, shots, game }) => {
    mkdirSync(shots, { recursive: true });
    const page = await open({ forcedColors: 'active', viewport: SIZES[2] });
    await openTable(page, server.url);
    for (const ply of game.plies.slice(0, 7)) await playPly(page, ply);
    await page.click('[data-square="4"]');
    await page.screenshot({ path: join(shots, 'forced-1280.png') });

    await page.emulateMedia({ forcedColors: 'none', media: 'print' });
    await page.screenshot({ path: join(shots, 'print-1280.png'), fullPage: true });

    /* 200 % of a window of 1280 by 800 leaves half of each. */
    const zoomed = await open({ viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 });
    await zoomed.goto(`${server.url}${PATH}`);
    await zoomed.waitForSelector('[data-square="0"]');
    const seen = await measure(zoomed);
    assert.ok(seen.overflow <= 0);
    assert.ok(seen.board[0].width >= LEAST_BOARD);
  },
};
