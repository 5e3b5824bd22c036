// SPDX-License-Identifier: MIT
import type { Words } from './fr.ts';
import type { CellParts, MoveParts, Who } from './parts.ts';

const wins = (who: Who): string => (who.you ? 'あなたの勝ちです' : `${who.name}の勝ちです`);
const name = (who: Who): string => (who.you ? 'あなた' : who.name);

export const ja: Words = {
  language: 'ja',
  site: {
    name: 'Komadai',
    home: 'ホーム',
    skip: '本文へ移動',
    footer: '二人で遊ぶ戦略ゲーム。登録も広告もありません。',
  },
  home: {
    title: '戦略ゲーム',
    intro: '学校で、クラブで、家で。一台の端末で二人で、またはリンクひとつで離れた相手と遊べます。',
    games: 'ゲーム',
  },
  notFound: {
    title: 'このページはありません',
    text: 'アドレスが途中で切れているかもしれません。ゲームはすべてホームにあります。',
    home: 'ホームへ',
  },
  notShown: {
    title: 'このゲームはこのページにありません',
    text: '招待のリンクから来た場合も、席はまだ埋まっておらず、リンクはそのまま使えます。このページのゲームはホームにあります。',
  },
  games: {
    'mini-shogi': {
      title: '5五将棋',
      description: '25マスの将棋。取った駒は自分の駒として使えます。',
    },
  },

  sides: ['先手', '後手'],
  you: (side: string): string => `${side}(あなた)`,
  pieces: { K: '王', R: '飛車', B: '角', G: '金', S: '銀', P: '歩' },
  promoted: { R: '龍', B: '馬', S: '成銀', P: 'と金' },
  letters: { K: 'K', R: 'R', B: 'B', G: 'G', S: 'S', P: 'P' },
  ranks: ['一', '二', '三', '四', '五'],
  square: (file: number, rank: string): string => `${file}${rank}`,

  board: {
    name: (bottom: string): string => `盤、手前が${bottom}`,
    cell: (cell: CellParts): string =>
      [
        cell.square,
        cell.piece === null ? '空き' : `${cell.side}の${cell.piece}`,
        cell.check ? '王手' : '',
        cell.legal ? '指せる' : '',
        cell.last ? '最後の手' : '',
      ]
        .filter((part) => part !== '')
        .join('、'),
    hand: (side: string): string => `${side}の持ち駒`,
    slot: (piece: string, count: number): string => `${piece} ${count}枚`,
    emptySlot: (piece: string): string => `${piece} なし`,
  },

  state: {
    turn: (side: string): string => `${side}の番です`,
    yourTurn: 'あなたの番です',
    check: '王手',
    yourCheck: '王手をかけられています',
    join: (turn: string, check: string | null): string =>
      check === null ? `${turn}。` : `${turn}。${check}。`,
    waiting: '相手を待っています。',
    loading: '対局を開いています…',
  },
  move: (move: MoveParts): string =>
    [
      move.from === null
        ? `${move.side}、${move.to}に${move.piece}を打つ`
        : `${move.side}、${move.from}の${move.piece}を${move.to}へ`,
      move.captured === null ? '' : `${move.captured}を取る`,
      move.promotes ? '成り' : '',
    ]
      .filter((part) => part !== '')
      .join('、') + '。',
  announce: {
    check: '王手。',
    undone: '一手戻しました。',
    restarted: '新しい対局です。',
    selected: (piece: string, count: number): string =>
      count === 0 ? `${piece}：動ける所がありません。` : `${piece}：指せる所は${count}か所。`,
  },
  end: {
    checkmate: (winner: Who, _loser: Who): string => `詰みです。${wins(winner)}。`,
    noMove: (winner: Who, loser: Who): string =>
      `${name(loser)}に指せる手がありません。${wins(winner)}。`,
    resignation: (winner: Who, loser: Who): string =>
      `${name(loser)}が投了しました。${wins(winner)}。`,
    repetition: (winner: Who, _loser: Who): string =>
      `同じ局面が四回現れました(千日手)。${wins(winner)}。`,
    perpetualCheck: (winner: Who, loser: Who): string =>
      `${loser.name}の連続王手の千日手です。${wins(winner)}。`,
    drawnRepetition: '同じ局面が四回現れました(千日手)。引き分けです。',
    mutualPerpetual: '双方の連続王手の千日手です。引き分けです。',
    plyLimit: '手数の上限に達しました。引き分けです。',
    abandoned: '対局者が去ったため、勝敗なしで終わりました。',
  },

  actions: {
    undo: '待った',
    newGame: '新しい対局',
    resign: '投了',
    cancel: 'やめる',
    promote: '成る',
    keep: '成らない',
    remote: '離れた相手と指す',
  },
  questions: {
    promotion: {
      K: '王を成りますか',
      R: '飛車を成りますか',
      B: '角を成りますか',
      G: '金を成りますか',
      S: '銀を成りますか',
      P: '歩を成りますか',
    },
    newGame: '新しい対局を始めますか',
    newGameText: '今の対局は消えます。',
    newGameOverText: '終わった対局は消えます。',
    resign: '投了しますか',
    resignText: (winner: Who): string => `${wins(winner)}。`,
    leave: '部屋を出ますか',
    leaveText: '席がなくなり、ここではこの対局を続けられません。',
  },

  refusals: {
    'move-empty-square': 'まず自分の駒を選んでください。',
    'move-not-your-piece': '相手の駒です。自分の駒を選んでください。',
    'move-own-piece': '自分の駒があります。別のマスを選んでください。',
    'move-pattern': 'この駒はそこへは動けません。丸印のマスを選んでください。',
    'move-blocked': '間に駒があります。手前で止まるか、その駒を取ってください。',
    'move-pinned': 'この駒が動くと王が取られてしまいます。',
    'move-in-check': '王手がかかっています。王手を防ぐ手を選んでください。',
    'move-king-exposed': 'そこでは王が取られてしまいます。安全なマスを選んでください。',
    'move-must-promote': '一番奥の段では歩は必ず成ります。',
    'move-cannot-promote': 'この手では成れません。',
    'drop-not-in-hand': 'その駒は持ち駒にありません。',
    'drop-occupied': '駒は空いたマスにだけ打てます。',
    'drop-dead': '歩は一番奥の段には打てません。動けなくなります。',
    'drop-two-pawns': '二歩です。この筋にはもう自分の歩があります。',
    'drop-pawn-mate': '打ち歩詰めです。歩を打って詰ませることはできません。',
    'game-over': '対局は終わりました。新しい対局を始めてください。',
    'game-too-long': '手数の上限に達しました。新しい対局を始めてください。',
    over: '対局は終わりました。',
    'not-your-turn': '相手の番です。相手の手を待ってください。',
    suspended: '相手がいないため、対局は中断しています。',
    'room-full': 'この対局は手数の上限に達しました。',
    unknown: 'その手は指せません。別の手を選んでください。',
  },

  room: {
    title: '部屋',
    remoteIntro: '部屋を作り、遊びたい相手にリンクを送ってください。登録は要りません。',
    create: '部屋を作る',
    creating: '部屋を作っています…',
    invitedTitle: '対局に招待されています',
    invitedText: '5五将棋の部屋で相手が待っています。二人目の席に着きます。',
    invitedReplaces: '参加すると、このタブで今いる部屋を出ます。',
    join: '対局に参加する',
    joining: '部屋に入っています…',
    decline: '参加しない',
    waitingText: 'このリンクを相手に送ってください。相手が来ると対局が始まります。',
    linkLabel: '招待リンク',
    copy: 'リンクをコピー',
    copied: 'リンクをコピーしました。',
    selected: 'リンクを選択しました。Ctrl + C か長押しでコピーしてください。',
    youPlay: (side: string): string => `あなたは${side}です。`,
    connecting: '接続しています…',
    live: '接続中',
    cut: '接続が切れました。対局は残っています。接続し直しています。',
    retry: '今すぐ試す',
    sending: '手を送っています…',
    stale: '対局が先に進んでいました。盤を見て、もう一度指してください。',
    notKept: 'このブラウザは席を保存しません。ページを再読み込みしないでください。',
    leave: '部屋を出る',
    keepLocal: 'この端末で遊ぶ',
    goThere: 'そのゲームのページを開く',
    retryRequest: 'もう一度試す',
  },
  problems: {
    full: '部屋は満席です。別のリンクをもらうか、自分の部屋を作ってください。',
    'wrong-game': '別のゲームへの招待です。そのゲームのページで開いてください。',
    gone: 'この部屋はもうありません。新しい部屋を作り、リンクを送ってください。',
    invitation: '招待リンクが途中で切れているか、無効です。新しいリンクをもらってください。',
    forbidden: 'この部屋の席が確認できません。別のリンクをもらうか、部屋を作ってください。',
    network: 'サーバーから応答がありません。接続を確かめて、もう一度試してください。',
    busy: '今は混み合っています。少し待ってから、もう一度試してください。',
    unknown: 'サーバーが応えられませんでした。しばらくしてから、もう一度試してください。',
    rules: 'ルールを読み込めませんでした。ページを再読み込みしてください。',
    browser:
      'このブラウザではルールを動かせません。別のブラウザか、新しいブラウザを使ってください。',
  },

  legend: {
    title: '駒',
    piece: '駒',
    name: '名前',
    moves: '動き',
    promotedNote: '成った駒は、濃い赤の別の字と + の印で分かります。',
    entries: {
      K: '八方向に一マス。',
      R: '縦と横に、駒がない限りどこまでも。',
      B: '斜めに、駒がない限りどこまでも。',
      G: '斜め後ろを除く六方向に一マス。',
      S: '前、または斜め四方向に一マス。',
      P: '前に一マス。取るときも同じ。',
    },
    promotedEntries: {
      R: '飛車の動きに加え、斜めに一マス。',
      B: '角の動きに加え、縦横に一マス。',
      S: '金と同じ。',
      P: '金と同じ。',
    },
  },
  rules: {
    title: 'ルール',
    items: [
      {
        title: '目的',
        text: '25マスの盤で、六枚ずつの駒が向かい合います。相手の王に王手をかけ、どう指しても逃れられなくすれば(詰み)勝ちです。先手から始め、交互に指します。',
      },
      {
        title: '一手でできること',
        text: '盤上の駒を動かすか、持ち駒を空いたマスに打ちます。取った駒は自分の持ち駒になり、成っていた駒も元に戻ります。',
      },
      {
        title: '成り',
        text: '自分から見て一番奥の段が敵陣です。飛車、角、銀、歩は、敵陣に入るとき、敵陣の中で動くとき、敵陣から出るときに成れます。成るかどうかは自由ですが、歩は必ず成ります。打った駒は、敵陣でも成らずに置かれます。',
      },
      {
        title: '歩を打つとき',
        text: '一番奥の段、自分の成っていない歩がある筋(二歩)、打ってすぐ詰みになるマス(打ち歩詰め)には打てません。歩を打って王手をかけるだけなら構いません。',
      },
      {
        title: '王手',
        text: '王が狙われたら、すぐに逃げるか、その駒を取るか、間に駒を置きます。自分の王が取られる手は指せません。王を守って動けない駒もあります。',
      },
      {
        title: '終わり',
        text: '詰み、投了、または指せる手がなくなったとき(王手でなくても)、その側の負けです。盤、持ち駒、手番が同じ局面が四回現れると(千日手)、先手の負けです。ただし、その間ずっと王手をかけ続けた側があればその側の負け、双方なら引き分けです。',
      },
    ],
  },
  help: {
    title: '遊び方',
    pointer:
      '自分の駒に触れ、次に丸印のマスに触れます。持ち駒を打つには、持ち駒に触れてから空いたマスに触れます。',
    keyboard:
      'キーボードでは、Tab で盤に入り、矢印で移動し、Enter か Space で選んで指し、Esc でやめます。持ち駒と成りの選択へは Tab で移ります。',
  },
};
