// SPDX-License-Identifier: MIT
/*
 * Readers of values that come from outside: the network, storage, the wasm module. Each returns a
 * value of the type it names or throws `Malformed` with the path of what is wrong; none lets
 * anything through unchecked. Members that nobody asked for are ignored, so that an older page
 * reads a newer server.
 */
export class Malformed extends Error {
  constructor(path: string, expected: string) {
    super(`${path} must be ${expected}`);
    this.name = 'Malformed';
  }
}

export type Reader<T> = (value: unknown, path: string) => T;

export type Members = Readonly<Record<string, unknown>>;

export function readObject(value: unknown, path: string): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Malformed(path, 'an object');
  }
  return value as Members;
}

export function readString(value: unknown, path: string): string {
  if (typeof value !== 'string') throw new Malformed(path, 'text');
  return value;
}

export function readBoolean(value: unknown, path: string): boolean {
  if (typeof value !== 'boolean') throw new Malformed(path, 'true or false');
  return value;
}

/* A whole number from `least` to `most`, both included. */
export function readInteger(least: number, most = Number.MAX_SAFE_INTEGER): Reader<number> {
  return (value, path) => {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) {
      throw new Malformed(path, `a whole number from ${least} to ${most}`);
    }
    return value;
  };
}

export function readOneOf<const T extends string | number>(allowed: readonly T[]): Reader<T> {
  return (value, path) => {
    const found = allowed.find((candidate) => candidate === value);
    if (found === undefined) throw new Malformed(path, `one of ${allowed.join(', ')}`);
    return found;
  };
}

export function readMatch(pattern: RegExp): Reader<string> {
  return (value, path) => {
    const text = readString(value, path);
    if (!pattern.test(text)) throw new Malformed(path, `text like ${pattern.source}`);
    return text;
  };
}

export function readNullable<T>(reader: Reader<T>): Reader<T | null> {
  return (value, path) => (value === null ? null : reader(value, path));
}

/* A list; of exactly `length` items where that is given. */
export function readList<T>(reader: Reader<T>, length?: number): Reader<T[]> {
  return (value, path) => {
    if (!Array.isArray(value) || (length !== undefined && value.length !== length)) {
      throw new Malformed(path, length === undefined ? 'a list' : `a list of ${length}`);
    }
    return value.map((item: unknown, index) => reader(item, `${path}[${index}]`));
  };
}

export function parseJson<T>(text: string, reader: Reader<T>, path: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Malformed(path, 'JSON');
  }
  return reader(value, path);
}
