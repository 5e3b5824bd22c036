// SPDX-License-Identifier: MIT
/* What sentences are made of: filled in by core/sentences.ts, put into words by each dictionary. */

export interface Who {
  /* "Sente", "Gote" in the dictionary's language. */
  readonly name: string;
  /* The person at this page plays that side alone. */
  readonly you: boolean;
}

export interface MoveParts {
  readonly side: string;
  /* The piece as it was before it moved. */
  readonly piece: string;
  /* null: dropped from the hand. */
  readonly from: string | null;
  readonly to: string;
  readonly captured: string | null;
  readonly promotes: boolean;
}

export interface CellParts {
  readonly square: string;
  /* null: empty. */
  readonly piece: string | null;
  readonly side: string | null;
  readonly legal: boolean;
  readonly last: boolean;
  readonly check: boolean;
}
