// SPDX-License-Identifier: MIT
/*
 * Values from outside, which are not trusted: only own members that are data are read, so no getter
 * runs, and never further than what is asked for, so no cycle or size matters.
 */
import { MiniShogiStateError } from './errors.ts';

/* The value of an own member, undefined where there is none or it is a getter. */
export function ownValue(object: object, name: PropertyKey): unknown {
  return Object.getOwnPropertyDescriptor(object, name)?.value as unknown;
}

export function readOwn(value: unknown, name: string, path: string): unknown {
  if (typeof value !== 'object' || value === null) {
    throw new MiniShogiStateError(path, 'an object');
  }
  const found = ownValue(value, name);
  if (found === undefined) throw new MiniShogiStateError(`${path}.${name}`, 'a value');
  return found;
}

/* An array of one to `most` items. */
export function readArray(value: unknown, most: number, path: string): readonly unknown[] {
  if (!Array.isArray(value) || value.length < 1 || value.length > most) {
    throw new MiniShogiStateError(path, `an array of 1 to ${most} items`);
  }
  return value;
}

function pathOf(parent: string, isArray: boolean, name: PropertyKey): string {
  return isArray ? `${parent}[${String(name)}]` : `${parent}.${String(name)}`;
}

/* Throws at the first member of `given` that is not as in `wanted`, our own, or not in it at all. */
export function requireSame(given: unknown, wanted: unknown, path: string): void {
  if (typeof wanted !== 'object' || wanted === null) {
    if (given !== wanted) throw new MiniShogiStateError(path, JSON.stringify(wanted));
    return;
  }
  const isArray = Array.isArray(wanted);
  if (typeof given !== 'object' || given === null || Array.isArray(given) !== isArray) {
    throw new MiniShogiStateError(path, isArray ? 'an array' : 'an object');
  }
  if (isArray && ownValue(given, 'length') !== wanted.length) {
    throw new MiniShogiStateError(path, `an array of ${wanted.length} items`);
  }
  for (const name of Object.keys(wanted)) {
    requireSame(ownValue(given, name), ownValue(wanted, name), pathOf(path, isArray, name));
  }
  for (const name of Reflect.ownKeys(given)) {
    if (!Object.hasOwn(wanted, name)) {
      throw new MiniShogiStateError(pathOf(path, isArray, name), 'absent');
    }
  }
}

/* `value`, which is our own, such that nobody can change it. What is frozen in it is so already. */
export function freezeAll<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const name of Object.keys(value)) freezeAll(ownValue(value, name));
  return Object.freeze(value);
}
