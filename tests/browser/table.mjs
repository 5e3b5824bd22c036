// SPDX-License-Identifier: MIT
/*
 * What a person sees of a table, read from the page, and what a person does at it. Pieces are read
 * as they are drawn: the character, its colour and the way it points.
 */
import assert from 'node:assert/strict';
import { sfenOf } from './sfen.mjs';

export const PATH = '/rubriques/jeux-mini-shogi';

export async function openTable(page, url, fragment = '') {
  await page.goto(`${url}${PATH}${fragment}`);
  await page.waitForSelector('[data-square="0"]');
}

/* {sfen without its number, check, checkSquare, last, sentence} of the table on `page`. */
export async function readTable(page) {
  const seen = await page.evaluate(() => {
    const glyphs = '王飛龍角馬金銀全歩と';
    const types = 'KRRBBGSSPP';
    const promoted = '龍馬全と';
    const bottom = Number(document.querySelector('[data-testid="board"]').dataset.bottom);
    const cells = [...document.querySelectorAll('[data-square]')];
    const board = Array(25).fill(null);
    for (const cell of cells) {
      const glyph = cell.querySelector('.glyph');
      if (glyph === null) continue;
      const text = glyph.textContent.trim();
      const turned = glyph.getCTM().a < 0;
      board[Number(cell.dataset.square)] = {
        type: types[glyphs.indexOf(text)],
        owner: turned ? 1 - bottom : bottom,
        promoted: promoted.includes(text),
        colour: getComputedStyle(glyph).fill,
      };
    }
    const hands = [0, 1].map((owner) =>
      [...document.querySelectorAll(`[data-testid="hand-${owner}"] button`)].map((slot) => [
        slot.dataset.piece,
        Number(slot.querySelector('.count')?.textContent ?? 0),
      ]),
    );
    const squares = (name) =>
      cells.filter((cell) => cell.classList.contains(name)).map((cell) => +cell.dataset.square);
    return {
      order: cells.map((cell) => Number(cell.dataset.square)),
      bottom,
      board,
      hands,
      last: squares('last').sort((one, other) => one - other),
      checked: squares('check'),
      sentence: document.querySelector('[data-testid="state"]').textContent.trim(),
      notice: document.querySelector('[data-testid="notice"]').textContent.trim(),
    };
  });
  for (const hand of seen.hands) {
    assert.deepEqual(
      hand.map(([piece]) => piece),
      ['R', 'B', 'G', 'S', 'P'],
      'order of a hand',
    );
  }
  assert.equal(seen.order[0], seen.bottom === 0 ? 0 : 24, 'the own side is at the bottom');
  const inks = new Set(seen.board.filter((piece) => piece && !piece.promoted).map((p) => p.colour));
  const reds = new Set(seen.board.filter((piece) => piece?.promoted).map((p) => p.colour));
  assert.ok(inks.size <= 1 && reds.size <= 1, 'one ink and one red');
  for (const red of reds) assert.ok(!inks.has(red), 'promoted pieces are in red');
  return {
    ...seen,
    sfen: (player) =>
      sfenOf({ ...seen, hands: seen.hands.map(Object.fromEntries), player, moves: 0 })
        .split(' ')
        .slice(0, 3)
        .join(' '),
  };
}

/* Waits until the board shows `sfen`, then holds everything else to `ply`. */
export async function expectPly(page, plies, number, { side = null } = {}) {
  const ply = plies[number];
  const player = ply.sfen.split(' ')[1] === 'b' ? 0 : 1;
  const wanted = ply.sfen.split(' ').slice(0, 3).join(' ');
  let table;
  const end = Date.now() + 10_000;
  do {
    table = await readTable(page);
  } while (table.sfen(player) !== wanted && Date.now() < end);
  assert.equal(table.sfen(player), wanted, `board after ply ${number + 1}, ${ply.usi}`);

  const { action } = ply;
  const marks = action.type === 'move' ? [action.from, action.to] : [action.to];
  assert.deepEqual(
    table.last,
    marks.sort((one, other) => one - other),
    `marks of ${ply.usi}`,
  );
  assert.equal(table.checked.length, ply.check ? 1 : 0, `check frame after ${ply.usi}`);
  if (ply.check) {
    const king = table.board[table.checked[0]];
    assert.deepEqual([king?.type, king?.owner], ['K', player], 'the framed king');
    assert.match(table.sentence, /échec/i, `check in words after ${ply.usi}`);
  }
  if (number < plies.length - 1) {
    const turn =
      side === player ? 'À vous de jouer' : `À ${player === 0 ? 'Sente' : 'Gote'} de jouer`;
    assert.ok(table.sentence.startsWith(turn), `"${table.sentence}" begins with "${turn}"`);
    assert.equal(/échec/i.test(table.sentence), ply.check, `"${table.sentence}"`);
  }
  return table;
}

export function slotOf(page, player, piece) {
  return page.locator(`[data-testid="hand-${player}"] [data-piece="${piece}"]`);
}

export function button(page, name) {
  return page.getByRole('button', { name, exact: true });
}

export function choice(page, name) {
  return page.locator('[data-testid="question"]').getByRole('button', { name, exact: true });
}

/* Plays a ply by clicking, answering the promotion question when, and only when, it must come. */
export async function playPly(page, ply) {
  const { action, asked } = ply;
  const player = ply.sfen.split(' ')[1] === 'b' ? 1 : 0;
  if (action.type === 'drop') await slotOf(page, player, action.piece).click();
  else await page.click(`[data-square="${action.from}"]`);
  await page.waitForSelector(`[data-square="${action.to}"] .ring`);
  await page.click(`[data-square="${action.to}"]`);
  assert.equal(await page.locator('[data-testid="question"]').count(), asked ? 1 : 0, 'question');
  if (asked) await choice(page, action.promote ? 'Promouvoir' : 'Conserver').click();
}
