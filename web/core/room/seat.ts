// SPDX-License-Identifier: MIT
/*
 * The seat of this tab, across reloads. sessionStorage may be full, forbidden or written by anybody:
 * what is read is checked, and a refusal is told, never thrown.
 */
import { parseJson } from '../parse.ts';
import { readSeat, type Seat } from './contract.ts';

export const SEAT_KEY = 'mini-shogi-online-seat-v1';

type Box = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/* Reading `window.sessionStorage` itself may throw: hence a function. */
export type OpenBox = () => Box;

export class SeatStorage {
  readonly #open: OpenBox;

  constructor(open: OpenBox) {
    this.#open = open;
  }

  load(): Seat | null {
    try {
      const text = this.#open().getItem(SEAT_KEY);
      return text === null ? null : parseJson(text, readSeat, SEAT_KEY);
    } catch {
      return null;
    }
  }

  /* False where the browser keeps nothing: a reload would then lose the seat. */
  save(seat: Seat): boolean {
    try {
      this.#open().setItem(SEAT_KEY, JSON.stringify(seat));
      return true;
    } catch {
      return false;
    }
  }

  forget(): void {
    try {
      this.#open().removeItem(SEAT_KEY);
    } catch {
      /* Then nothing was kept. */
    }
  }
}
