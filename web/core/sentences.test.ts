// SPDX-License-Identifier: MIT
import { describe, expect, test } from 'vitest';
import { boardOf, handOf, stateOf } from './fakes.ts';
import { changeSentence, stateSentence } from './sentences.ts';
import { REASONS, type GameState } from './state.ts';
import { en } from './words/en.ts';
import { fr } from './words/fr.ts';
import { refusalText, textOf, wordsFor } from './words/index.ts';
import { ja } from './words/ja.ts';

const BOTH = [0, 1] as const;
const view = (state: GameState, check = false) => ({ state, legal: [], check });

describe('stateSentence', () => {
  test('says who plays, and check', () => {
    expect(stateSentence(en, view(stateOf()), BOTH)).toBe('Sente to play.');
    expect(stateSentence(en, view(stateOf({ player: 1 }), true), BOTH)).toBe(
      'Gote to play: check.',
    );
    expect(stateSentence(en, view(stateOf()), [0])).toBe('Your turn.');
    expect(stateSentence(en, view(stateOf(), true), [0])).toBe('Your turn: your king is in check.');
    expect(stateSentence(en, view(stateOf()), [1])).toBe('Sente to play.');
  });

  test('says the end and its reason, to a player as you', () => {
    const end = stateOf({ over: true, winner: 1, reason: 'no-legal-move' });
    expect(stateSentence(en, view(end), BOTH)).toBe('Sente has no legal move left: Gote wins.');
    expect(stateSentence(en, view(end), [0])).toBe('You have no legal move left: Gote wins.');
    expect(stateSentence(en, view(end), [1])).toBe('Sente has no legal move left: you win.');
  });

  test('has a sentence of its own for every reason, won or drawn, in every language', () => {
    for (const words of [fr, en, ja]) {
      const won = REASONS.slice(0, 5).map((reason) =>
        stateSentence(words, view(stateOf({ over: true, winner: 0, reason })), BOTH),
      );
      const drawn = REASONS.slice(3).map((reason) =>
        stateSentence(words, view(stateOf({ over: true, winner: null, reason })), BOTH),
      );
      expect(new Set(won).size).toBe(5);
      expect(new Set(drawn.filter((text) => !won.includes(text))).size).toBeGreaterThanOrEqual(4);
    }
  });
});

describe('changeSentence', () => {
  const before = stateOf({
    board: boardOf('4k/P4/5/2r2/K1S2'),
    hands: [handOf({ P: 1 }), handOf({})],
  });

  test('tells a move, a capture, a promotion and check', () => {
    const promoted = stateOf({
      board: boardOf('+P3k/5/5/2r2/K1S2'),
      player: 1,
      moves: 1,
      last: { type: 'move', from: 5, to: 0, promote: true },
    });
    expect(changeSentence(en, before, view(promoted), BOTH)).toBe(
      'Sente: pawn from 5b to 5a, promotes.',
    );
    const captured = stateOf({
      board: boardOf('4k/P4/5/2S2/K4'),
      player: 1,
      moves: 1,
      last: { type: 'move', from: 22, to: 17, promote: false },
    });
    expect(changeSentence(en, before, view(captured, true), BOTH)).toBe(
      'Sente: silver from 3e to 3d, takes rook. Check.',
    );
    expect(changeSentence(ja, before, view(captured, true), BOTH)).toBe(
      '先手、3五の銀を3四へ、飛車を取る。 王手。',
    );
  });

  test('tells a drop that ends the game', () => {
    const dropped = stateOf({
      board: boardOf('4k/P4/5/P1r2/K1S2'),
      player: 1,
      moves: 1,
      last: { type: 'drop', piece: 'P', to: 15 },
      over: true,
      winner: 0,
      reason: 'checkmate',
    });
    expect(changeSentence(en, before, view(dropped), [0])).toBe(
      'Sente: drop, pawn on 5d. Checkmate: you win.',
    );
  });

  test('tells an undo, a resignation, and nothing when nothing happened', () => {
    const later = stateOf({ moves: 3, player: 1 });
    expect(changeSentence(en, later, view(stateOf({ moves: 2 })), BOTH)).toBe(
      'Move taken back. Sente to play.',
    );
    expect(changeSentence(en, later, view(stateOf()), BOTH)).toBe('New game. Sente to play.');
    const resigned = stateOf({
      moves: 4,
      last: { type: 'resign' },
      over: true,
      winner: 0,
      reason: 'resignation',
    });
    expect(changeSentence(en, later, view(resigned), BOTH)).toBe('Gote resigns: Sente wins.');
    expect(changeSentence(en, later, view({ ...later }), BOTH)).toBeNull();
  });

  test('after a gap tells the last move, of the side that made it', () => {
    const after = stateOf({
      board: boardOf('4k/5/P4/2r2/K1S2'),
      player: 1,
      moves: 5,
      last: { type: 'move', from: 15, to: 10, promote: false },
    });
    expect(changeSentence(en, before, view(after), BOTH)).toBe('Sente: pawn from 5d to 5c.');
  });
});

test('wordsFor takes the first language that has a dictionary, French where none has', () => {
  expect(wordsFor(['ja-JP'])).toBe(ja);
  expect(wordsFor(['de', 'en-GB', 'fr'])).toBe(en);
  expect(wordsFor(['de-AT'])).toBe(fr);
  expect(wordsFor([])).toBe(fr);
});

test('textOf falls back for a word that a newer server may send', () => {
  expect(textOf(fr.refusals, 'drop-two-pawns')).toBe(fr.refusals['drop-two-pawns']);
  expect(textOf(fr.refusals, 'constructor')).toBe(fr.refusals.unknown);
});

test('refusalText points to a new game only where there is one', () => {
  for (const words of [fr, en, ja]) {
    expect(refusalText(words, 'game-over', false)).toBe(words.refusals['game-over']);
    expect(refusalText(words, 'game-over', true)).toBe(words.refusals.over);
    expect(refusalText(words, 'game-too-long', true)).toBe(words.refusals['room-full']);
    expect(refusalText(words, 'drop-dead', true)).toBe(words.refusals['drop-dead']);
  }
  expect(fr.refusals.over).toBe('La partie est finie.');
});

test('French texts use no break before high punctuation, and no exclamation mark', () => {
  const texts: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  collect(fr);
  expect(texts.length).toBeGreaterThan(100);
  expect(texts.filter((text) => / [:;?!]/.test(text))).toEqual([]);
  expect(texts.filter((text) => text.includes('!'))).toEqual([]);
});
