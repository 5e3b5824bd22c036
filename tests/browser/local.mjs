// SPDX-License-Identifier: MIT
/* Playing on one device. */
import assert from 'node:assert/strict';
import { button, choice, expectPly, openTable, playPly, readTable, slotOf } from './table.mjs';

const START = 'rbsgk/4p/5/P4/KGSBR b -';

const square = (page, index) => page.locator(`[data-square="${index}"]`);
const rings = (page) =>
  page
    .locator('[data-square]:has(.ring)')
    .evaluateAll((cells) => cells.map((cell) => Number(cell.dataset.square)));
const focused = (page) => page.evaluate(() => document.activeElement?.dataset.square ?? null);

async function playTo(page, game, plies) {
  for (const ply of game.plies.slice(0, plies)) await playPly(page, ply);
}

async function isStart(page) {
  return (await readTable(page)).sfen(0) === START;
}

export const tests = {
  'a whole game is played to mate, and taken back to its start': async ({ open, server, game }) => {
    const page = await open();
    await openTable(page, server.url);
    for (const [number, ply] of game.plies.entries()) {
      await playPly(page, ply);
      await expectPly(page, game.plies, number);
    }
    const { sentence } = await readTable(page);
    assert.equal(sentence, `Échec et mat\u00a0: ${game.winner === 0 ? 'Sente' : 'Gote'} gagne.`);

    /* After the end a press only says so. */
    await square(page, 12).click();
    assert.match((await readTable(page)).notice, /partie est finie/);

    const undo = button(page, 'Annuler');
    for (let number = game.plies.length - 2; number >= 0; number--) {
      await undo.click();
      await expectPly(page, game.plies, number);
    }
    await undo.click();
    assert.ok(await isStart(page));
    assert.ok(await undo.isDisabled());
  },

  'legal squares are ringed for a piece and for a drop, and a selection is freely given up':
    async ({ open, server, game }) => {
      const page = await open();
      await openTable(page, server.url);
      await square(page, 24).click();
      assert.deepEqual(await rings(page), [9, 14, 19]);
      await square(page, 24).click();
      assert.deepEqual(await rings(page), []);
      await square(page, 21).click();
      await page.keyboard.press('Escape');
      assert.deepEqual(await rings(page), []);

      await playTo(page, game, 8);
      await slotOf(page, 0, 'P').click();
      const { board } = await readTable(page);
      const dropped = await rings(page);
      assert.ok(dropped.length > 0);
      for (const index of dropped) assert.equal(board[index], null);
      assert.ok(
        dropped.every((index) => index >= 5),
        'no pawn on the last rank',
      );
    },

  'a refused move says why, and changes nothing': async ({ open, server, game }) => {
    const page = await open();
    await openTable(page, server.url);
    const refused = async (from, to, words) => {
      await from.click();
      await square(page, to).click();
      assert.match((await readTable(page)).notice, words);
      await page.keyboard.press('Escape');
    };
    await square(page, 4).click();
    assert.match((await readTable(page)).notice, /autre camp/);
    await refused(square(page, 15), 5, /ne se déplace pas ainsi/);
    await refused(square(page, 24), 4, /barre le chemin/);
    assert.ok(await isStart(page));

    /* Gote has a rook and Sente a pawn in hand; Sente's own pawn is still on the file of 5. */
    await playTo(page, game, 8);
    await refused(slotOf(page, 0, 'P'), 5, /Deux pions/);
    await refused(slotOf(page, 0, 'P'), 1, /dernière rangée/);
    await refused(slotOf(page, 0, 'P'), 6, /case vide/);
    await slotOf(page, 1, 'R').click({ force: true });
    assert.match((await readTable(page)).notice, /autre camp/);
    await expectPly(page, game.plies, 7);
  },

  'the promotion window takes the focus, and gives it back to the square': async ({
    open,
    server,
    game,
  }) => {
    const page = await open();
    await openTable(page, server.url);
    const number = game.plies.findIndex(({ asked }) => asked);
    await playTo(page, game, number);
    const { from, to, promote } = game.plies[number].action;
    const ask = async () => {
      await square(page, from).click();
      await square(page, to).click();
      await page.waitForSelector('[data-testid="question"]');
    };

    await ask();
    assert.equal(
      await page.evaluate(() => document.activeElement?.textContent.trim().split(/\s+/).at(-1)),
      'Promouvoir',
    );
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement?.textContent.trim()), 'Annuler');
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('[data-testid="question"]').count(), 0);
    assert.equal(await focused(page), String(from));
    await expectPly(page, game.plies, number - 1);

    await ask();
    await choice(page, 'Annuler').click();
    assert.equal(await focused(page), String(from));

    /* The page around it stays usable: a press on the board gives the question up. */
    await ask();
    await page.locator('[data-square="4"]').click({ position: { x: 3, y: 3 } });
    assert.equal(await page.locator('[data-testid="question"]').count(), 0);
    await expectPly(page, game.plies, number - 1);

    await ask();
    await choice(page, promote ? 'Promouvoir' : 'Conserver').click();
    assert.equal(await focused(page), String(to));
    await expectPly(page, game.plies, number);
  },

  'a new game and a resignation are confirmed': async ({ open, server, game }) => {
    const page = await open();
    await openTable(page, server.url);
    await playTo(page, game, 3);
    const asked = page.locator('[data-testid="question"]');
    await button(page, 'Nouvelle partie').click();
    assert.match(await asked.innerText(), /La partie en cours sera effacée/);
    await choice(page, 'Annuler').click();
    await expectPly(page, game.plies, 2);

    await button(page, 'Abandonner').click();
    await page.keyboard.press('Escape');
    await expectPly(page, game.plies, 2);
    await button(page, 'Abandonner').click();
    await choice(page, 'Abandonner').click();
    assert.equal((await readTable(page)).sentence, 'Gote abandonne\u00a0: Sente gagne.');
    await button(page, 'Nouvelle partie').click();
    assert.match(await asked.innerText(), /La partie terminée sera effacée/);
    await choice(page, 'Annuler').click();
    await button(page, 'Annuler').click();
    await expectPly(page, game.plies, 2);

    await button(page, 'Nouvelle partie').click();
    await choice(page, 'Nouvelle partie').click();
    assert.ok(await isStart(page));
  },

  'a game is played by keyboard alone, and each move is spoken': async ({ open, server, game }) => {
    const page = await open();
    await openTable(page, server.url);
    await page.keyboard.press('Tab');
    for (let stop = 0; stop < 20 && (await focused(page)) === null; stop++) {
      await page.keyboard.press('Tab');
    }
    assert.notEqual(await focused(page), null, 'Tab reaches the board');
    assert.equal(await page.locator('[data-square][tabindex="0"]').count(), 1, 'one stop of Tab');

    const go = async (index) => {
      const at = Number(await focused(page));
      const down = Math.floor(index / 5) - Math.floor(at / 5);
      const right = (index % 5) - (at % 5);
      for (let step = 0; step < Math.abs(down); step++) {
        await page.keyboard.press(down > 0 ? 'ArrowDown' : 'ArrowUp');
      }
      for (let step = 0; step < Math.abs(right); step++) {
        await page.keyboard.press(right > 0 ? 'ArrowRight' : 'ArrowLeft');
      }
      assert.equal(await focused(page), String(index));
    };
    const spoken = () => page.locator('[data-testid="spoken"]').innerText();

    await go(4);
    await page.keyboard.press('ArrowRight');
    assert.equal(await focused(page), '4', 'no wrap at the edge');
    for (const [number, ply] of game.plies.slice(0, 14).entries()) {
      const { action, asked } = ply;
      if (action.type === 'drop') {
        const player = ply.sfen.split(' ')[1] === 'b' ? 1 : 0;
        const key = player === 0 ? 'Tab' : 'Shift+Tab';
        const slot = slotOf(page, player, action.piece);
        for (let stop = 0; stop < 6; stop++) {
          await page.keyboard.press(key);
          if (await slot.evaluate((element) => element === document.activeElement)) break;
        }
        await page.keyboard.press('Enter');
        while ((await focused(page)) === null) {
          await page.keyboard.press(player === 0 ? 'Shift+Tab' : 'Tab');
        }
      } else {
        await go(action.from);
        await page.keyboard.press(number % 2 === 0 ? 'Enter' : ' ');
      }
      await go(action.to);
      await page.keyboard.press('Enter');
      if (asked) {
        if (!action.promote) await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
      }
      await expectPly(page, game.plies, number);
      const mover = ply.sfen.split(' ')[1] === 'b' ? 'Gote' : 'Sente';
      assert.match(await spoken(), new RegExp(`^${mover}\u00a0: `));
    }
  },

  'a sentence equal to the last is spoken again': async ({ open, server }) => {
    const page = await open();
    await openTable(page, server.url);
    const regions = () =>
      page.locator('[data-testid="spoken"] p').evaluateAll((all) => all.map((p) => p.textContent));
    await square(page, 4).click();
    const first = await regions();
    await square(page, 3).click();
    assert.deepEqual(await regions(), first.reverse());
  },

  'squares and hands have names, in the language of the browser': async ({ open, server }) => {
    const names = {
      'fr-FR': ['5e, roi de Sente', 'Réserve de Gote'],
      'en-GB': ['5e, Sente king', 'Hand of Gote'],
      'ja-JP': ['5五, 先手の王'.replace(', ', '、'), '後手の持ち駒'],
      'de-DE': ['5e, roi de Sente', 'Réserve de Gote'],
    };
    for (const [locale, [cell, hand]] of Object.entries(names)) {
      const page = await open({ locale });
      await openTable(page, server.url);
      assert.equal(await square(page, 20).locator('.unseen').textContent(), cell);
      assert.equal(await page.locator('[data-testid="hand-1"]').getAttribute('aria-label'), hand);
    }
  },

  'home leads to the game, and other addresses to home': async ({ open, server }) => {
    const page = await open();
    await page.goto(server.url);
    await page.getByRole('link', { name: /Mini Shogi/ }).click();
    await page.waitForSelector('[data-square="0"]');
    for (const [path, title] of [
      ['/rubriques', 'Cette page n’existe pas'],
      ['/rubriques/jeux-inconnu', 'Ce jeu n’est pas sur cette page'],
    ]) {
      await page.goto(server.url + path);
      await page.getByRole('heading', { name: title }).waitFor();
      await page.getByRole('link', { name: /accueil/ }).click();
      await page.getByRole('heading', { name: 'Jeux de stratégie' }).waitFor();
    }
  },
};
