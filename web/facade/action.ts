// SPDX-License-Identifier: MIT
/* An action from outside, of exactly the members of its type. What it means, the rules know. */
import { Malformed, type Members } from '../core/parse.ts';
import { type Action, readAction } from '../core/state.ts';
import { ownValue } from './data.ts';
import { MiniShogiError } from './errors.ts';

const MEMBERS = new Map<unknown, readonly string[]>([
  ['move', ['type', 'from', 'to', 'promote']],
  ['drop', ['type', 'piece', 'to']],
  ['resign', ['type']],
]);

/* Throws the word with which the server refuses the same action. */
export function readGivenAction(value: unknown): Action {
  if (typeof value !== 'object' || value === null) throw new MiniShogiError('action-type');
  const type = ownValue(value, 'type');
  if (type === undefined) throw new MiniShogiError('action-member-missing');
  const names = MEMBERS.get(type);
  if (names === undefined) throw new MiniShogiError('action-type');
  for (const name of Reflect.ownKeys(value)) {
    if (typeof name !== 'string' || !names.includes(name)) {
      throw new MiniShogiError('action-member-unknown');
    }
  }
  for (const name of names) {
    if (!Object.hasOwn(value, name)) throw new MiniShogiError('action-member-missing');
  }
  return readMembers(Object.fromEntries(names.map((name) => [name, ownValue(value, name)])));
}

function readMembers(members: Members): Action {
  try {
    const action = readAction(members, 'action');
    if (action.type !== 'move' || action.from !== action.to) return action;
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
  }
  throw new MiniShogiError('action-member-value');
}
