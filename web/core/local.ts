// SPDX-License-Identifier: MIT
/* A game between two people on one device. The line of play lives in the rules. */
import { type GameView, viewOf } from './view.ts';
import type { Rules } from './wasm.ts';

export class LocalGame {
  readonly #rules: Rules;
  #view: GameView;

  constructor(rules: Rules) {
    this.#rules = rules;
    this.#view = this.restart();
  }

  get view(): GameView {
    return this.#view;
  }

  restart(): GameView {
    this.#rules.start();
    return this.#look();
  }

  /* The word of the refusal, null when the action was played. */
  play(usi: string): string | null {
    const word = this.#rules.play(usi);
    if (word === null) this.#look();
    return word;
  }

  refusal(usi: string): string | null {
    return this.#rules.refusal(usi);
  }

  undo(): GameView {
    this.#rules.undo();
    return this.#look();
  }

  #look(): GameView {
    this.#view = viewOf(this.#rules);
    return this.#view;
  }
}
