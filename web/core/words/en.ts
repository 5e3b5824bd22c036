// SPDX-License-Identifier: MIT
import type { Words } from './fr.ts';
import type { CellParts, MoveParts, Who } from './parts.ts';

const wins = (who: Who): string => (who.you ? 'you win' : `${who.name} wins`);
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const subject = (who: Who): string => (who.you ? 'You' : who.name);

export const en: Words = {
  language: 'en',
  site: {
    name: 'Komadai',
    home: 'Home',
    skip: 'Skip to the content',
    footer: 'Strategy games for two, without accounts or advertising.',
  },
  home: {
    title: 'Strategy games',
    intro:
      'For school, club and home: two people on one device, or at a distance with a simple link.',
    games: 'Games',
  },
  notFound: {
    title: 'This page does not exist',
    text: 'The address may be incomplete. All games are on the home page.',
    home: 'Go to the home page',
  },
  notShown: {
    title: 'This game is not on this page',
    text: 'If an invitation led you here, it has taken no seat and the link stays valid. The games of this page are on the home page.',
  },
  games: {
    'mini-shogi': {
      title: 'Mini Shogi',
      description: 'Japanese chess on 25 squares: captured pieces change sides.',
    },
  },

  sides: ['Sente', 'Gote'],
  you: (side: string): string => `${side} (you)`,
  pieces: { K: 'king', R: 'rook', B: 'bishop', G: 'gold', S: 'silver', P: 'pawn' },
  promoted: {
    R: 'promoted rook',
    B: 'promoted bishop',
    S: 'promoted silver',
    P: 'promoted pawn',
  },
  letters: { K: 'K', R: 'R', B: 'B', G: 'G', S: 'S', P: 'P' },
  ranks: ['a', 'b', 'c', 'd', 'e'],
  square: (file: number, rank: string): string => `${file}${rank}`,

  board: {
    name: (bottom: string): string => `Board, ${bottom} at the bottom`,
    cell: (cell: CellParts): string =>
      [
        cell.square,
        cell.piece === null ? 'empty' : `${cell.side} ${cell.piece}`,
        cell.check ? 'in check' : '',
        cell.legal ? 'possible move' : '',
        cell.last ? 'last move' : '',
      ]
        .filter((part) => part !== '')
        .join(', '),
    hand: (side: string): string => `Hand of ${side}`,
    slot: (piece: string, count: number): string => `${piece}, ${count}`,
    emptySlot: (piece: string): string => `${piece}, none`,
  },

  state: {
    turn: (side: string): string => `${side} to play`,
    yourTurn: 'Your turn',
    check: 'check',
    yourCheck: 'your king is in check',
    join: (turn: string, check: string | null): string =>
      check === null ? `${turn}.` : `${turn}: ${check}.`,
    waiting: 'Waiting for the other player.',
    loading: 'Opening the game…',
  },
  move: (move: MoveParts): string =>
    [
      move.from === null
        ? `${move.side}: drop, ${move.piece} on ${move.to}`
        : `${move.side}: ${move.piece} from ${move.from} to ${move.to}`,
      move.captured === null ? '' : `takes ${move.captured}`,
      move.promotes ? 'promotes' : '',
    ]
      .filter((part) => part !== '')
      .join(', ') + '.',
  announce: {
    check: 'Check.',
    undone: 'Move taken back.',
    restarted: 'New game.',
    selected: (piece: string, count: number): string =>
      count === 0
        ? `${capital(piece)}: no possible move.`
        : `${capital(piece)}: ${count} possible ${count === 1 ? 'square' : 'squares'}.`,
  },
  end: {
    checkmate: (winner: Who, _loser: Who): string => `Checkmate: ${wins(winner)}.`,
    noMove: (winner: Who, loser: Who): string =>
      `${subject(loser)} ${loser.you ? 'have' : 'has'} no legal move left: ${wins(winner)}.`,
    resignation: (winner: Who, loser: Who): string =>
      `${subject(loser)} ${loser.you ? 'resign' : 'resigns'}: ${wins(winner)}.`,
    repetition: (winner: Who, _loser: Who): string =>
      `The same position has come up four times: ${wins(winner)}.`,
    perpetualCheck: (winner: Who, loser: Who): string =>
      `Fourfold repetition by perpetual check from ${loser.name}: ${wins(winner)}.`,
    drawnRepetition: 'The same position has come up four times: the game is drawn.',
    mutualPerpetual: 'Perpetual check from both sides: the game is drawn.',
    plyLimit: 'The limit of moves is reached: the game is drawn.',
    abandoned: 'A player has left: the game ends without a winner.',
  },

  actions: {
    undo: 'Undo',
    newGame: 'New game',
    resign: 'Resign',
    cancel: 'Cancel',
    promote: 'Promote',
    keep: 'Keep as it is',
    remote: 'Play at a distance',
  },
  questions: {
    promotion: {
      K: 'Promote the king?',
      R: 'Promote the rook?',
      B: 'Promote the bishop?',
      G: 'Promote the gold?',
      S: 'Promote the silver?',
      P: 'Promote the pawn?',
    },
    newGame: 'Start a new game?',
    newGameText: 'The present game will be erased.',
    newGameOverText: 'The finished game will be erased.',
    resign: 'Resign the game?',
    resignText: (winner: Who): string => `${capital(wins(winner))}.`,
    leave: 'Leave the room?',
    leaveText: 'Your seat will be lost: this game cannot be taken up again here.',
  },

  refusals: {
    'move-empty-square': 'Choose one of your pieces first.',
    'move-not-your-piece': 'That piece belongs to the other side: choose one of yours.',
    'move-own-piece': 'One of your pieces stands there: choose another square.',
    'move-pattern': 'That piece does not move like this: follow the rings.',
    'move-blocked': 'A piece is in the way: stop before it or take it.',
    'move-pinned': 'Pinned piece: if it left, your king would be in check.',
    'move-in-check': 'Your king is in check: this move does not make it safe.',
    'move-king-exposed': 'Your king would be in check there: look for a safe square.',
    'move-must-promote': 'On the last rank a pawn always promotes.',
    'move-cannot-promote': 'This move does not allow promotion.',
    'drop-not-in-hand': 'That piece is not in your hand.',
    'drop-occupied': 'A piece can be dropped on an empty square only.',
    'drop-dead': 'A pawn cannot be dropped on the last rank: it could never move again.',
    'drop-two-pawns': 'Two pawns: one of your pawns is already on this file.',
    'drop-pawn-mate': 'Pawn-drop mate: a dropped pawn must not give mate at once.',
    'game-over': 'The game is over: start a new one.',
    'game-too-long': 'The game has reached the greatest length: start a new one.',
    over: 'The game is over.',
    'not-your-turn': 'It is the other player’s turn: wait for their move.',
    suspended: 'The other player is not there: the game waits.',
    'room-full': 'This game has reached the greatest length.',
    unknown: 'That move is not possible here: choose another.',
  },

  room: {
    title: 'Room',
    remoteIntro:
      'Create a room, then send the link to the person you want to play with. No account is needed.',
    create: 'Create a room',
    creating: 'Creating the room…',
    invitedTitle: 'You are invited to a game',
    invitedText: 'Someone is waiting for you in a Mini Shogi room. You will take the second seat.',
    invitedReplaces: 'You will then leave the room you are playing in on this tab.',
    join: 'Join the game',
    joining: 'Entering the room…',
    decline: 'Do not join',
    waitingText: 'Send this link to the other player. The game opens as soon as they arrive.',
    linkLabel: 'Invitation link',
    copy: 'Copy the link',
    copied: 'Link copied.',
    selected: 'Link selected: copy it with Ctrl + C, or by a long press.',
    youPlay: (side: string): string => `You play ${side}.`,
    connecting: 'Connecting…',
    live: 'Connected',
    cut: 'Connection lost. The game is kept, and another try follows.',
    retry: 'Try again now',
    sending: 'Sending the move…',
    stale: 'The game had moved on meanwhile: look at the board, then play again.',
    notKept: 'This browser does not keep your seat: do not reload the page.',
    leave: 'Leave the room',
    keepLocal: 'Play on this device',
    goThere: 'Open the page of that game',
    retryRequest: 'Try again',
  },
  problems: {
    full: 'The room is full: two people are playing there. Ask for another link, or create your own room.',
    'wrong-game': 'This invitation is for another game. Open it on the page of that game.',
    gone: 'This room no longer exists. Create a new one and send its link.',
    invitation: 'This invitation link is incomplete or no longer valid. Ask for another one.',
    forbidden: 'Your seat in this room is no longer known. Ask for another link, or create a room.',
    network: 'The server does not answer. Check the connection, then try again.',
    busy: 'There are many people here at the moment. Wait a little, then try again.',
    unknown: 'The server could not answer the request. Try again in a moment.',
    rules: 'The rules of the game could not be loaded. Reload the page.',
    browser: 'This browser cannot run the rules of the game. Another or a newer one is needed.',
  },

  legend: {
    title: 'The pieces',
    piece: 'Piece',
    name: 'Name',
    moves: 'Moves',
    promotedNote:
      'A promoted piece is known by its other character, in dark red, and by the + sign.',
    entries: {
      K: 'One step in any of the eight directions.',
      R: 'Straight, as far as the way is free.',
      B: 'Diagonally, as far as the way is free.',
      G: 'One step in six directions: all but the two backward diagonals.',
      S: 'One step forward, or one step along any diagonal.',
      P: 'One step forward, for taking too.',
    },
    promotedEntries: {
      R: 'Like the rook, or one step diagonally.',
      B: 'Like the bishop, or one step straight.',
      S: 'Like the gold.',
      P: 'Like the gold.',
    },
  },
  rules: {
    title: 'The rules',
    items: [
      {
        title: 'The aim',
        text: 'Two sides of six pieces face each other on 25 squares. You win when the opposing king is attacked and no move can save it any more: that is mate (詰み). Sente (先手) opens the game, then the players take turns.',
      },
      {
        title: 'A turn, two choices',
        text: 'Move a piece on the board, or place a piece from your hand on an empty square: that is a drop (打ち). A captured piece changes sides. It waits in the hand (持ち駒) of its captor, an ordinary piece again.',
      },
      {
        title: 'Promotion (成り)',
        text: 'The rank farthest from you is your promotion zone. A rook, bishop, silver or pawn may promote as it enters the zone, moves within it or leaves it. The choice is yours; only the pawn, which would have no future there, always promotes. A dropped piece arrives unpromoted, even in the zone.',
      },
      {
        title: 'Dropping a pawn',
        text: 'Three places are closed to it: the last rank, a file that already holds one of your unpromoted pawns (二歩), and the square from which it would give mate at once (打ち歩詰め). A dropped pawn may give a plain check.',
      },
      {
        title: 'Check (王手)',
        text: 'When your king is attacked, answer at once: move it away, take the attacker, or put a piece between the two. No move may leave your own king open to capture. A piece that shields it is therefore pinned, and its moves are limited.',
      },
      {
        title: 'The end',
        text: 'The game ends by mate, by resignation, or when a side has no legal move left: that side loses, even when not in check. If the same position, with the same hands and the same side to move, comes up a fourth time (千日手), Sente loses. But a side that did nothing but give check throughout the repetition loses instead, and if both did, the game is drawn.',
      },
    ],
  },
  help: {
    title: 'How to play',
    pointer:
      'Tap one of your pieces, then a ringed square. To drop, tap a piece in your hand, then an empty square.',
    keyboard:
      'By keyboard: Tab leads to the board, the arrows walk over it, Enter or Space chooses and plays, Escape gives up the choice. Hands and promotion are reached with Tab.',
  },
};
