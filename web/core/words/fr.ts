// SPDX-License-Identifier: MIT
/*
 * French, and the shape of every dictionary: en.ts and ja.ts are `typeof fr`, so a missing text does
 * not compile. A no-break space stands before : and the marks ; ? as French typography asks.
 */
import type { CellParts, MoveParts, Who } from './parts.ts';

const wins = (who: Who): string => (who.you ? 'vous gagnez' : `${who.name} gagne`);
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const subject = (who: Who): string => (who.you ? 'Vous' : who.name);

export const fr = {
  language: 'fr',
  site: {
    name: 'Komadai',
    home: 'Accueil',
    skip: 'Aller au contenu',
    footer: 'Jeux de stratégie à deux, sans compte ni publicité.',
  },
  home: {
    title: 'Jeux de stratégie',
    intro:
      'Pour la classe, le club ou la maison\u00a0: à deux sur le même appareil, ou à distance avec un simple lien.',
    games: 'Jeux',
  },
  notFound: {
    title: 'Cette page n’existe pas',
    text: 'L’adresse est peut-être incomplète. Tous les jeux se trouvent à l’accueil.',
    home: 'Aller à l’accueil',
  },
  notShown: {
    title: 'Ce jeu n’est pas sur cette page',
    text: 'Si une invitation vous a mené ici, votre place n’est pas prise et le lien reste valable. Les jeux de cette page se trouvent à l’accueil.',
  },
  games: {
    'mini-shogi': {
      title: 'Mini Shogi',
      description: 'Les échecs japonais sur 25 cases\u00a0: les pièces prises changent de camp.',
    },
  },

  sides: ['Sente', 'Gote'],
  you: (side: string): string => `${side} (vous)`,
  pieces: { K: 'roi', R: 'tour', B: 'fou', G: 'or', S: 'argent', P: 'pion' },
  promoted: {
    R: 'tour promue',
    B: 'fou promu',
    S: 'argent promu',
    P: 'pion promu',
  },
  letters: { K: 'R', R: 'T', B: 'F', G: 'O', S: 'A', P: 'P' },
  ranks: ['a', 'b', 'c', 'd', 'e'],
  square: (file: number, rank: string): string => `${file}${rank}`,

  board: {
    name: (bottom: string): string => `Plateau, ${bottom} en bas`,
    cell: (cell: CellParts): string =>
      [
        cell.square,
        cell.piece === null ? 'vide' : `${cell.piece} de ${cell.side}`,
        cell.check ? 'en échec' : '',
        cell.legal ? 'coup possible' : '',
        cell.last ? 'dernier coup' : '',
      ]
        .filter((part) => part !== '')
        .join(', '),
    hand: (side: string): string => `Réserve de ${side}`,
    slot: (piece: string, count: number): string => `${piece}, ${count}`,
    emptySlot: (piece: string): string => `${piece}, aucun`,
  },

  state: {
    turn: (side: string): string => `À ${side} de jouer`,
    yourTurn: 'À vous de jouer',
    check: 'échec',
    yourCheck: 'votre roi est en échec',
    join: (turn: string, check: string | null): string =>
      check === null ? `${turn}.` : `${turn}\u00a0: ${check}.`,
    waiting: 'En attente de l’autre joueur.',
    loading: 'Ouverture de la partie…',
  },
  move: (move: MoveParts): string =>
    [
      move.from === null
        ? `${move.side}\u00a0: parachutage, ${move.piece} en ${move.to}`
        : `${move.side}\u00a0: ${move.piece} de ${move.from} à ${move.to}`,
      move.captured === null ? '' : `prise, ${move.captured}`,
      move.promotes ? 'promotion' : '',
    ]
      .filter((part) => part !== '')
      .join(', ') + '.',
  announce: {
    check: 'Échec.',
    undone: 'Coup annulé.',
    restarted: 'Nouvelle partie.',
    selected: (piece: string, count: number): string =>
      count === 0
        ? `${capital(piece)}\u00a0: aucun coup possible.`
        : `${capital(piece)}\u00a0: ${count} ${count === 1 ? 'case possible' : 'cases possibles'}.`,
  },
  end: {
    checkmate: (winner: Who, _loser: Who): string => `Échec et mat\u00a0: ${wins(winner)}.`,
    noMove: (winner: Who, loser: Who): string =>
      `${subject(loser)} ${loser.you ? 'n’avez' : 'n’a'} plus aucun coup légal\u00a0: ${wins(winner)}.`,
    resignation: (winner: Who, loser: Who): string =>
      `${subject(loser)} ${loser.you ? 'abandonnez' : 'abandonne'}\u00a0: ${wins(winner)}.`,
    repetition: (winner: Who, _loser: Who): string =>
      `La même position revient pour la quatrième fois\u00a0: ${wins(winner)}.`,
    perpetualCheck: (winner: Who, loser: Who): string =>
      `Position répétée quatre fois par un échec perpétuel de ${loser.name}\u00a0: ${wins(winner)}.`,
    drawnRepetition: 'La même position revient pour la quatrième fois\u00a0: partie nulle.',
    mutualPerpetual: 'Échec perpétuel des deux côtés\u00a0: partie nulle.',
    plyLimit: 'La limite de coups est atteinte\u00a0: partie nulle.',
    abandoned: 'Un joueur est parti\u00a0: la partie s’arrête sans vainqueur.',
  },

  actions: {
    undo: 'Annuler',
    newGame: 'Nouvelle partie',
    resign: 'Abandonner',
    cancel: 'Annuler',
    promote: 'Promouvoir',
    keep: 'Conserver',
    remote: 'Jouer à distance',
  },
  questions: {
    /* Of any piece: which ones may be asked about is for the rules to say. */
    promotion: {
      K: 'Promouvoir le roi\u202f?',
      R: 'Promouvoir la tour\u202f?',
      B: 'Promouvoir le fou\u202f?',
      G: 'Promouvoir l’or\u202f?',
      S: 'Promouvoir l’argent\u202f?',
      P: 'Promouvoir le pion\u202f?',
    },
    newGame: 'Commencer une nouvelle partie\u202f?',
    newGameText: 'La partie en cours sera effacée.',
    newGameOverText: 'La partie terminée sera effacée.',
    resign: 'Abandonner la partie\u202f?',
    resignText: (winner: Who): string => `${capital(wins(winner))}.`,
    leave: 'Quitter le salon\u202f?',
    leaveText: 'Votre place sera perdue\u00a0: cette partie ne pourra plus être reprise ici.',
  },

  /* Keyed by the stable words of the rules and of the room. */
  refusals: {
    'move-empty-square': 'Choisissez d’abord une de vos pièces.',
    'move-not-your-piece': 'Cette pièce est à l’autre camp\u00a0: choisissez une des vôtres.',
    'move-own-piece': 'Une de vos pièces occupe cette case\u00a0: choisissez-en une autre.',
    'move-pattern': 'Cette pièce ne se déplace pas ainsi\u00a0: suivez les cercles.',
    'move-blocked': 'Une pièce barre le chemin\u00a0: il faut s’arrêter avant ou la prendre.',
    'move-pinned': 'Pièce clouée\u00a0: en partant, elle laisserait votre roi en échec.',
    'move-in-check': 'Votre roi est en échec\u00a0: ce coup ne le met pas à l’abri.',
    'move-king-exposed': 'Votre roi y serait en échec\u00a0: cherchez une case sûre.',
    'move-must-promote': 'Sur la dernière rangée, le pion est toujours promu.',
    'move-cannot-promote': 'Ce coup ne permet pas de promotion.',
    'drop-not-in-hand': 'Cette pièce n’est pas dans votre réserve.',
    'drop-occupied': 'Un parachutage se fait sur une case vide.',
    'drop-dead': 'Un pion ne se parachute pas sur la dernière rangée\u00a0: il n’y bougerait plus.',
    'drop-two-pawns': 'Deux pions\u00a0: cette colonne contient déjà un de vos pions.',
    'drop-pawn-mate': 'Mat par pion\u00a0: un pion parachuté ne peut pas donner mat aussitôt.',
    'game-over': 'La partie est finie\u00a0: commencez-en une nouvelle.',
    'game-too-long': 'La partie a atteint la longueur maximale\u00a0: commencez-en une nouvelle.',
    over: 'La partie est finie.',
    'not-your-turn': 'C’est à l’autre joueur\u00a0: attendez son coup.',
    suspended: 'L’autre joueur n’est pas là\u00a0: la partie attend.',
    'room-full': 'Cette partie a atteint la longueur maximale.',
    unknown: 'Ce coup n’est pas possible ici\u00a0: choisissez-en un autre.',
  },

  room: {
    title: 'Salon',
    remoteIntro:
      'Créez un salon, puis envoyez le lien à la personne avec qui vous voulez jouer. Aucun compte n’est demandé.',
    create: 'Créer un salon',
    creating: 'Création du salon…',
    invitedTitle: 'Vous êtes invité à une partie',
    invitedText:
      'Quelqu’un vous attend dans un salon de Mini Shogi. Vous y prendrez la seconde place.',
    invitedReplaces: 'Vous quitterez alors le salon où vous jouez déjà dans cet onglet.',
    join: 'Rejoindre la partie',
    joining: 'Entrée dans le salon…',
    decline: 'Ne pas rejoindre',
    waitingText: 'Envoyez ce lien à l’autre joueur. La partie s’ouvre dès son arrivée.',
    linkLabel: 'Lien d’invitation',
    copy: 'Copier le lien',
    copied: 'Lien copié.',
    selected: 'Lien sélectionné\u00a0: copiez-le avec Ctrl + C, ou par un appui long.',
    youPlay: (side: string): string => `Vous jouez ${side}.`,
    connecting: 'Connexion…',
    live: 'Connecté',
    cut: 'Connexion coupée. La partie est gardée, un nouvel essai suit.',
    retry: 'Réessayer maintenant',
    sending: 'Envoi du coup…',
    stale: 'La partie avait avancé entre-temps\u00a0: regardez le plateau, puis rejouez.',
    notKept: 'Ce navigateur ne garde pas votre place\u00a0: ne rechargez pas la page.',
    leave: 'Quitter le salon',
    keepLocal: 'Jouer sur cet appareil',
    goThere: 'Ouvrir la page de ce jeu',
    retryRequest: 'Réessayer',
  },
  /* Keyed by what went wrong with a room; each says what to do next. */
  problems: {
    full: 'Le salon est complet\u00a0: deux personnes y jouent déjà. Demandez un autre lien, ou créez votre salon.',
    'wrong-game': 'Cette invitation est celle d’un autre jeu. Ouvrez-la sur la page de ce jeu.',
    gone: 'Ce salon n’existe plus. Créez-en un nouveau et envoyez son lien.',
    invitation:
      'Ce lien d’invitation n’est pas complet ou n’est plus valable. Demandez-en un autre.',
    forbidden:
      'Votre place dans ce salon n’est plus reconnue. Demandez un autre lien, ou créez un salon.',
    network: 'Le serveur ne répond pas. Vérifiez la connexion, puis réessayez.',
    busy: 'Il y a beaucoup de monde en ce moment. Attendez un peu, puis réessayez.',
    unknown: 'Le serveur n’a pas pu répondre à la demande. Réessayez dans un moment.',
    rules: 'Les règles du jeu n’ont pas pu être chargées. Rechargez la page.',
    browser:
      'Ce navigateur ne peut pas exécuter les règles du jeu. Il en faut un autre, ou un plus récent.',
  },

  legend: {
    title: 'Les pièces',
    piece: 'Pièce',
    name: 'Nom',
    moves: 'Déplacement',
    promotedNote:
      'Une pièce promue se reconnaît à son autre caractère, en rouge foncé, et au signe +.',
    entries: {
      K: 'Un pas dans les huit directions.',
      R: 'Tout droit, aussi loin que le chemin est libre.',
      B: 'En diagonale, aussi loin que le chemin est libre.',
      G: 'Un pas dans six directions\u00a0: toutes sauf les deux diagonales arrière.',
      S: 'Un pas devant, ou un pas en diagonale dans les quatre sens.',
      P: 'Un pas devant, y compris pour prendre.',
    },
    promotedEntries: {
      R: 'Comme la tour, ou un pas en diagonale.',
      B: 'Comme le fou, ou un pas tout droit.',
      S: 'Comme l’or.',
      P: 'Comme l’or.',
    },
  },
  rules: {
    title: 'Les règles',
    items: [
      {
        title: 'Le but',
        text: 'Deux camps de six pièces se font face sur 25 cases. Vous gagnez quand le roi adverse est attaqué et que plus aucun coup ne peut le sauver\u00a0: c’est le mat (詰み). Sente (先手) ouvre la partie, puis chacun joue à son tour.',
      },
      {
        title: 'Un tour, deux possibilités',
        text: 'Déplacez une pièce du plateau, ou posez sur une case vide une pièce de votre réserve\u00a0: c’est le parachutage (打ち). Une pièce prise change de camp. Elle attend dans la réserve (持ち駒) de qui l’a prise, redevenue ordinaire.',
      },
      {
        title: 'La promotion (成り)',
        text: 'La rangée la plus éloignée de vous est votre zone de promotion. Une tour, un fou, un argent ou un pion peut être promu au moment d’y entrer, de s’y déplacer ou d’en sortir. C’est à vous de choisir\u202f; seul le pion, qui n’y aurait plus d’avenir, est toujours promu. Une pièce parachutée arrive ordinaire, même dans la zone.',
      },
      {
        title: 'Parachuter un pion',
        text: 'Trois endroits lui sont interdits\u00a0: la dernière rangée, une colonne qui contient déjà un de vos pions non promus (二歩), et la case d’où il donnerait mat aussitôt (打ち歩詰め). Un pion parachuté peut donner un simple échec.',
      },
      {
        title: 'L’échec (王手)',
        text: 'Quand votre roi est attaqué, répondez aussitôt\u00a0: éloignez-le, prenez l’attaquant ou placez une pièce entre les deux. Aucun coup ne peut laisser votre propre roi en prise. Une pièce qui fait écran devant lui est donc clouée, et ses coups sont limités.',
      },
      {
        title: 'La fin',
        text: 'La partie se termine par le mat, par l’abandon, ou quand un camp n’a plus aucun coup légal\u00a0: ce camp perd, même sans échec. Si la même position, avec les mêmes réserves et le même camp au trait, se présente une quatrième fois (千日手), Sente perd. Mais le camp qui n’a fait que donner échec pendant toute la répétition perd à sa place, et si les deux l’ont fait, la partie est nulle.',
      },
    ],
  },
  help: {
    title: 'Comment jouer',
    pointer:
      'Touchez une de vos pièces, puis une case cerclée. Pour parachuter, touchez une pièce de votre réserve, puis une case vide.',
    keyboard:
      'Au clavier\u00a0: Tab mène au plateau, les flèches le parcourent, Entrée ou Espace choisit et joue, Échap renonce. Les réserves et la promotion se rejoignent avec Tab.',
  },
};

export type Words = typeof fr;
