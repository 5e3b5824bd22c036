// SPDX-License-Identifier: MIT
/*
 * The one line of play that the module holds, moved to whatever game is asked about. A game is known
 * by its ruleset and the keys of its positions; games that begin alike are told apart only where they
 * part, so the usual next question about the same game costs nothing, and one about a sister of it
 * goes back to their fork.
 */
import { parseJson, readBoolean, readNullable, readObject, readString } from '../core/parse.ts';
import { type GameState, type LegalAction, readPlayer } from '../core/state.ts';
import { RulesFailure, type RulesModule, STATUS_OK } from '../core/module.ts';
import { Rules } from '../core/wasm.ts';
import type { PositionRecord, Ruleset } from './state.ts';

export interface Game {
  readonly ruleset: Ruleset;
  readonly keys: readonly string[];
  readonly resigned: boolean;
}

function readRecord(value: unknown, path: string): PositionRecord {
  const members = readObject(value, path);
  return Object.freeze({
    key: readString(members['key'], `${path}.key`),
    by: readNullable(readPlayer)(members['by'], `${path}.by`),
    check: readBoolean(members['check'], `${path}.check`),
  });
}

export class Line {
  readonly #module: RulesModule;
  readonly #rules: Rules;
  readonly #calls;

  /* What the module stands at; no ruleset: nowhere yet. */
  #ruleset: Ruleset | null = null;
  #records: PositionRecord[] = [];
  #resigned = false;

  constructor(module: RulesModule) {
    this.#module = module;
    this.#rules = new Rules(module);
    this.#calls = module.take('follow', 'rewind', 'record', 'fault_column');
  }

  get records(): readonly PositionRecord[] {
    return this.#records;
  }

  state(): GameState {
    return this.#rules.state();
  }

  legal(): LegalAction[] {
    return this.#rules.legal();
  }

  /* Begins anew, at a position (SFEN) or the start. The word of the refusal, null for done. */
  begin(ruleset: Ruleset, position?: string): string | null {
    const word =
      position === undefined ? this.#rules.start(ruleset) : this.#rules.setup(position, ruleset);
    if (word !== null) return word;
    this.#ruleset = ruleset;
    this.#records = [];
    this.#added(false);
    return null;
  }

  /* Where the position that `begin` refused with `word` is at fault, from 1; null: in no place. */
  faultColumn(word: string): number | null {
    /* A text that is too long was not read. */
    return word === 'text-too-long' ? null : this.#calls.fault_column() || null;
  }

  /* Plays on; the word of the refusal. */
  add(usi: string): string | null {
    const word = this.#rules.play(usi);
    if (word === null) this.#added(usi === 'resign');
    return word;
  }

  /*
   * Moves to `game`. Returns the index of the first key that cannot be: no position at 0, reached by
   * no legal action after it, the number of keys where nobody could resign; null when all went well.
   */
  seek(game: Game): number | null {
    let index = this.#common(game);
    if (index === 0) {
      const [start = ''] = game.keys;
      if (this.begin(game.ruleset, start) !== null) return 0;
      index = 1;
    } else {
      this.#backTo(index, game);
    }
    for (; index < game.keys.length; index++) {
      const length = this.#module.send(game.keys[index] ?? '');
      if (length === null || this.#calls.follow(length) === 0) return index;
      this.#added(false);
    }
    if (game.resigned && !this.#resigned && this.add('resign') !== null) return index;
    return null;
  }

  /* How many positions of the line are the first of `game`, too. */
  #common(game: Game): number {
    if (game.ruleset !== this.#ruleset) return 0;
    const most = Math.min(this.#records.length, game.keys.length);
    let index = 0;
    while (index < most && this.#records[index]?.key === game.keys[index]) index++;
    return index;
  }

  #backTo(positions: number, game: Game): void {
    const isLonger = positions < this.#records.length;
    const isOver = this.#resigned && !(game.resigned && positions === game.keys.length);
    if (!isLonger && !isOver) return;
    const status = this.#calls.rewind(positions - 1);
    if (status !== STATUS_OK) throw new RulesFailure(this.#module.word(status));
    this.#records.length = positions;
    this.#resigned = false;
  }

  #added(resigned: boolean): void {
    this.#resigned = resigned;
    if (resigned) return;
    this.#calls.record();
    this.#records.push(parseJson(this.#module.receive(), readRecord, 'record'));
  }
}
