// SPDX-License-Identifier: MIT
/*
 * Where this tab is: at the local board, before an invitation, or in a room; and the ways between
 * them. The page draws the view and calls the verbs.
 *
 *     local --create--> room            enter(#invite) --> invited --join--> room
 *     room --leave, gone, forbidden--> local               invited --decline--> where it was
 *
 * The seat is stored as soon as it is given, and found again by `enter` after a reload. An
 * invitation takes no seat by itself: a person presses "join", a preview robot does not.
 */
import { Malformed } from '../parse.ts';
import type { Action } from '../state.ts';
import { NetworkError, type RoomApi, RoomError } from './api.ts';
import { type Entry, type Invitation, parseInvitation } from './contract.ts';
import type { SeatStorage } from './seat.ts';
import {
  newRequestId,
  type PlayOutcome,
  RoomSession,
  type SessionOptions,
  type SessionView,
} from './session.ts';

export type ProblemWord =
  'full' | 'wrong-game' | 'gone' | 'invitation' | 'forbidden' | 'network' | 'busy' | 'unknown';

export interface Problem {
  readonly word: ProblemWord;
  /* Of "wrong-game": the address of the invitation on the right page. */
  readonly page: string | null;
}

export interface LobbyView {
  readonly place: 'local' | 'invited' | 'room';
  readonly session: SessionView | null;
  /* Joining would give up the seat this tab has. */
  readonly replaces: boolean;
  readonly working: 'creating' | 'joining' | null;
  readonly problem: Problem | null;
  /* The seat would survive a reload. */
  readonly kept: boolean;
  /* The seat was taken just now, not found again. */
  readonly arrived: boolean;
}

export interface LobbyOptions {
  readonly api: RoomApi;
  readonly storage: SeatStorage;
  readonly game: string;
  readonly onChange: (view: LobbyView) => void;
  /* Takes the invitation out of the address, so that it is neither bookmarked nor read again. */
  readonly clearFragment: () => void;
  readonly session?: Omit<SessionOptions, 'onChange'>;
}

export function problemOf(error: unknown, invitation: Invitation | null): Problem {
  if (error instanceof NetworkError) return { word: 'network', page: null };
  if (!(error instanceof RoomError)) {
    return { word: 'unknown', page: null };
  }
  if (error.code === 'full') return { word: 'full', page: null };
  if (error.code === 'wrong-game') {
    const fragment = invitation === null ? '' : `#invite=${invitation.room}.${invitation.secret}`;
    return { word: 'wrong-game', page: error.page === null ? null : error.page + fragment };
  }
  if (error.status === 404 || error.status === 410) return { word: 'gone', page: null };
  if (error.status === 429 || error.status === 503) return { word: 'busy', page: null };
  const refused = error.status === 400 || error.status === 401 || error.status === 403;
  return { word: invitation !== null && refused ? 'invitation' : 'unknown', page: null };
}

export class Lobby {
  readonly #options: LobbyOptions;
  #view: LobbyView = {
    place: 'local',
    session: null,
    replaces: false,
    working: null,
    problem: null,
    kept: true,
    arrived: false,
  };
  #invitation: Invitation | null = null;
  /* Of the present invitation: joining may be tried again after a lost answer. */
  #joinId = '';
  #session: RoomSession | null = null;

  constructor(options: LobbyOptions) {
    this.#options = options;
  }

  get view(): LobbyView {
    return this.#view;
  }

  /* Reads the address's fragment and the stored seat: when the page opens, and when it changes. */
  enter(fragment: string): void {
    const seat = this.#session?.view.seat ?? this.#options.storage.load();
    if (seat !== null && this.#session === null) this.#open({ seat, snapshot: null }, false);
    if (!fragment.startsWith('#invite=')) return;

    const invitation = parseInvitation(fragment);
    if (invitation === null) {
      this.#options.clearFragment();
      this.#change({ problem: { word: 'invitation', page: null } });
    } else if (invitation.room === seat?.room) {
      this.#options.clearFragment();
    } else {
      this.#invitation = invitation;
      this.#joinId = newRequestId();
      this.#change({ place: 'invited', replaces: seat !== null, problem: null });
    }
  }

  async create(): Promise<void> {
    await this.#ask('creating', () => this.#options.api.create(this.#options.game));
  }

  async join(): Promise<void> {
    const invitation = this.#invitation;
    if (invitation === null) return;
    await this.#ask('joining', () =>
      this.#options.api.join(invitation, this.#options.game, this.#joinId),
    );
  }

  decline(): void {
    this.#invitation = null;
    this.#options.clearFragment();
    this.#change({ place: this.#session === null ? 'local' : 'room', problem: null });
  }

  leave(): void {
    this.#end(null);
  }

  async play(action: Action): Promise<PlayOutcome> {
    return (await this.#session?.play(action)) ?? { kind: 'dropped' };
  }

  nudge(): void {
    this.#session?.nudge();
  }

  async #ask(working: 'creating' | 'joining', request: () => Promise<Entry>): Promise<void> {
    if (this.#view.working !== null) return;
    this.#change({ working, problem: null });
    try {
      const entry = await request();
      this.#invitation = null;
      this.#options.clearFragment();
      this.#open(entry, true);
    } catch (error) {
      const known =
        error instanceof RoomError || error instanceof NetworkError || error instanceof Malformed;
      if (!known) throw error;
      this.#change({ problem: problemOf(error, this.#invitation) });
    } finally {
      this.#change({ working: null });
    }
  }

  #open(entry: Pick<SessionView, 'seat' | 'snapshot'>, arrived: boolean): void {
    this.#session?.close();
    const kept = this.#options.storage.save(entry.seat);
    const session = new RoomSession(this.#options.api, entry.seat, entry.snapshot, {
      ...this.#options.session,
      onChange: (view) => {
        if (this.#session !== session) return;
        if (view.ending === null) this.#change({ session: view });
        else this.#end({ word: view.ending, page: null });
      },
    });
    this.#session = session;
    this.#change({ place: 'room', session: session.view, problem: null, kept, arrived });
    void session.open();
  }

  #end(problem: Problem | null): void {
    this.#session?.close();
    this.#session = null;
    this.#options.storage.forget();
    const place = this.#invitation === null ? 'local' : 'invited';
    this.#change({ place, session: null, replaces: false, problem });
  }

  #change(part: Partial<LobbyView>): void {
    this.#view = { ...this.#view, ...part };
    this.#options.onChange(this.#view);
  }
}
