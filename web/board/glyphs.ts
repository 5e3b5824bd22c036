// SPDX-License-Identifier: MIT
import type { PieceType } from '../core/state.ts';

const PLAIN: Readonly<Record<PieceType, string>> = {
  K: '王',
  R: '飛',
  B: '角',
  G: '金',
  S: '銀',
  P: '歩',
};

/* King and gold do not promote. */
const PROMOTED: Readonly<Partial<Record<PieceType, string>>> = {
  R: '龍',
  B: '馬',
  S: '全',
  P: 'と',
};

export function glyph(type: PieceType, promoted: boolean): string {
  return (promoted ? PROMOTED[type] : undefined) ?? PLAIN[type];
}
