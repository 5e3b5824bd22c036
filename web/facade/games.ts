// SPDX-License-Identifier: MIT
/*
 * States as values over the one line of play. A state that was made here is frozen, so it is known
 * to be true for as long as it lives; any other value is read as a game, played again by the rules,
 * and believed only when each of its members is what the rules say.
 */
import type { Action, DropAction, MoveAction } from '../core/state.ts';
import { actionText } from '../core/squares.ts';
import { RulesFailure, type RulesModule } from '../core/module.ts';
import { freezeAll, ownValue, readArray, readOwn, requireSame } from './data.ts';
import { MiniShogiError, MiniShogiStateError } from './errors.ts';
import { type Game, Line } from './line.ts';
import {
  DEFAULT_RULESET,
  type MiniShogiState,
  type PositionRecord,
  RULESETS,
  type Ruleset,
} from './state.ts';

/* Positions in the longest game: 20,000 plies, as in a room. */
const RECORDS_MAX = 20_001;

function rulesetOf(state: MiniShogiState): Ruleset {
  return state.rules ?? DEFAULT_RULESET;
}

function readRuleset(name: unknown): Ruleset {
  const found = RULESETS.find((candidate) => candidate === name);
  if (found === undefined) throw new MiniShogiError('ruleset-unknown');
  return found;
}

/* The game that a value from outside says it is. */
function readGame(given: unknown): Game {
  const records = readArray(readOwn(given, 'records', 'state'), RECORDS_MAX, 'state.records');
  const keys: string[] = [];
  for (let index = 0; index < records.length; index++) {
    const path = `state.records[${index}]`;
    const key = readOwn(ownValue(records, index), 'key', path);
    if (typeof key !== 'string') throw new MiniShogiStateError(`${path}.key`, 'text');
    keys.push(key);
  }
  return { ruleset: readGivenRuleset(given), keys, resigned: readResigned(given) };
}

function readGivenRuleset(given: unknown): Ruleset {
  const name = typeof given === 'object' && given !== null ? ownValue(given, 'rules') : undefined;
  if (name === undefined) return DEFAULT_RULESET;
  const found = RULESETS.find((candidate) => candidate === name && name !== DEFAULT_RULESET);
  if (found === undefined) {
    throw new MiniShogiStateError(
      'state.rules',
      `absent or one of ${RULESETS.slice(1).join(', ')}`,
    );
  }
  return found;
}

function readResigned(given: unknown): boolean {
  const last = readOwn(given, 'last', 'state');
  return typeof last === 'object' && last !== null && ownValue(last, 'type') === 'resign';
}

export class Games {
  readonly #line: Line;
  readonly #known = new WeakSet<object>();
  /* The state that the line stands at. */
  #current: MiniShogiState | null = null;

  constructor(module: RulesModule) {
    this.#line = new Line(module);
  }

  begin(rules: unknown): MiniShogiState {
    return this.#begun(readRuleset(rules), undefined);
  }

  /* The number of the move that the text may give is not part of a state. */
  beginAt(position: string, rules: unknown): MiniShogiState {
    return this.#begun(readRuleset(rules), position);
  }

  play(given: unknown, action: Action): MiniShogiState {
    const state = this.at(given);
    const word = this.#line.add(actionText(action));
    if (word !== null) throw new MiniShogiError(word);
    return this.#made(rulesetOf(state), action.type === 'resign' ? state.records : undefined);
  }

  legal(given: unknown): readonly (MoveAction | DropAction)[] {
    this.at(given);
    return freezeAll(this.#line.legal().map(({ action }) => action));
  }

  /* The state that `given` is, at which the line then stands. */
  at(given: unknown): MiniShogiState {
    if (given === this.#current && this.#current !== null) return this.#current;
    if (this.#isKnown(given)) {
      const keys = given.records.map(({ key }) => key);
      const resigned = given.last?.type === 'resign';
      if (this.#seek({ ruleset: rulesetOf(given), keys, resigned }) !== null) {
        throw new RulesFailure('the rules do not know their own game');
      }
      this.#current = given;
      return given;
    }
    return this.#rebuilt(given);
  }

  /* `given` as a state that is known; the line may stand elsewhere. */
  known(given: unknown): MiniShogiState {
    return this.#isKnown(given) ? given : this.#rebuilt(given);
  }

  #isKnown(given: unknown): given is MiniShogiState {
    return typeof given === 'object' && given !== null && this.#known.has(given);
  }

  #seek(game: Game): number | null {
    this.#current = null;
    return this.#line.seek(game);
  }

  #rebuilt(given: unknown): MiniShogiState {
    const game = readGame(given);
    const failed = this.#seek(game);
    if (failed === game.keys.length) {
      throw new MiniShogiStateError('state.last', 'no resignation after the end');
    }
    if (failed !== null) {
      const expected =
        failed === 0
          ? 'a position'
          : 'a position that the one before it leads to by a legal action';
      throw new MiniShogiStateError(`state.records[${failed}].key`, expected);
    }
    const state = this.#made(game.ruleset);
    requireSame(given, state, 'state');
    /* What `given` ran of its own, where it is a Proxy, may have asked about another game. */
    return this.at(state);
  }

  #begun(ruleset: Ruleset, position: string | undefined): MiniShogiState {
    this.#current = null;
    const word = this.#line.begin(ruleset, position);
    if (word !== null) throw new MiniShogiError(word, this.#line.faultColumn(word));
    return this.#made(ruleset);
  }

  /* The state that the line stands at, as an object of its own. */
  #made(
    ruleset: Ruleset,
    records: readonly PositionRecord[] = Object.freeze([...this.#line.records]),
  ): MiniShogiState {
    const rules = ruleset === DEFAULT_RULESET ? {} : { rules: ruleset };
    const made = freezeAll({ ...this.#line.state(), records, ...rules });
    this.#current = made;
    this.#known.add(made);
    return made;
  }
}
