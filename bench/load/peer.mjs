// SPDX-License-Identifier: MIT
/*
 * What bench/server measures Komadai against: rooms as a small server in Node.js would have them, with the
 * same requests, answers and events, but in memory, without rules, and without checking more of a body than
 * that it is JSON. Its first line says where it listens.
 */
import { randomBytes } from 'node:crypto';
import http from 'node:http';

const PING_MS = 10_000;

const rooms = new Map();
const epoch = Date.now();
const draw = (bytes) => randomBytes(bytes).toString('base64url');

function startingState() {
  const board = Array.from('rbsgk....p.....P....KGSBR', (letter) =>
    letter === '.'
      ? null
      : {
          type: letter.toUpperCase(),
          owner: letter === letter.toUpperCase() ? 0 : 1,
          promoted: false,
        },
  );
  const hand = () => ({ R: 0, B: 0, G: 0, S: 0, P: 0 });
  return {
    board,
    hands: [hand(), hand()],
    player: 0,
    moves: 0,
    last: null,
    over: false,
    winner: null,
    reason: null,
  };
}

function snapshot(room) {
  return JSON.stringify({
    room: room.id,
    game: 'mini-shogi',
    rev: room.rev,
    phase: room.keys.guest ? 'playing' : 'waiting',
    seats: { host: true, guest: Boolean(room.keys.guest) },
    games: room.games,
    starterRole: room.games % 2 ? 'host' : 'guest',
    players: room.games % 2 ? { host: 0, guest: 1 } : { host: 1, guest: 0 },
    abandonedBy: null,
    request: room.request,
    state: room.state,
    position: 'rbsgk/4p/5/P4/KGSBR b - 1',
  });
}

function event(room, json) {
  return `id: ${epoch}-${room.rev}\nevent: state\ndata: ${json}\n\n`;
}

function answer(response, status, json) {
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'Content-Length': Buffer.byteLength(json),
  });
  response.end(json);
}

function refuse(response, status, error) {
  answer(response, status, JSON.stringify({ error, message: '' }));
}

function answerSeat(response, room, seat, inviteUrl) {
  const { id, rev, keys } = room;
  const head = JSON.stringify({ room: id, seat, key: keys[seat], inviteUrl, rev });
  answer(response, 201, `${head.slice(0, -1)},"snapshot":${snapshot(room)}}`);
}

function create(response) {
  const id = randomBytes(6).toString('hex');
  const room = {
    id,
    rev: 1,
    games: 1,
    keys: { host: draw(16), guest: null },
    invite: draw(16),
    request: null,
    state: startingState(),
    streams: new Set(),
  };
  rooms.set(id, room);
  const page = 'http://127.0.0.1/rubriques/jeux-mini-shogi';
  answerSeat(response, room, 'host', `${page}#invite=${id}.${room.invite}`);
}

function join(response, room, { invite }) {
  if (invite !== `${room.id}.${room.invite}`) return refuse(response, 403, 'forbidden');
  room.keys.guest = draw(16);
  room.rev++;
  answerSeat(response, room, 'guest', null);
}

function play(state, action) {
  if (action.type === 'move') {
    const piece = state.board[action.from];
    state.board[action.to] = piece && { ...piece, promoted: action.promote };
    state.board[action.from] = null;
  } else if (action.type === 'drop') {
    state.board[action.to] = { type: action.piece, owner: state.player, promoted: false };
  }
  state.last = action;
  state.player = 1 - state.player;
  state.moves++;
}

function command(response, room, { rev, op, action, what, accept }) {
  if (rev !== room.rev) return refuse(response, 409, 'stale');
  if (op === 'play') {
    play(room.state, action);
  } else if (op === 'ask') {
    room.request = { what, by: 'host', at: Date.now(), ply: null };
  } else {
    room.request = null;
    if (accept) room.state = startingState();
    if (accept) room.games++;
  }
  room.rev++;
  const json = snapshot(room);
  const text = event(room, json);
  for (const stream of room.streams) stream.write(text);
  answer(response, 200, json);
}

function stream(response, room) {
  response.removeHeader('Transfer-Encoding'); /* no chunks: the stream ends with its connection */
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  response.write(event(room, snapshot(room)));
  room.streams.add(response);
  response.on('close', () => room.streams.delete(response));
}

function keyOpens(room, request) {
  const { authorization } = request.headers;
  const { host, guest } = room.keys;
  return authorization === `Bearer ${host}` || authorization === `Bearer ${guest}`;
}

function handle(request, response, body) {
  const [, id, what] = /^\/api\/v1\/rooms(?:\/(\w+)(?:\/(\w+))?)?$/.exec(request.url) ?? [];
  const room = rooms.get(id);
  if (id === undefined && request.url === '/api/v1/rooms') return create(response);
  if (!room) return refuse(response, 404, 'not-found');
  if (what === 'join') return join(response, room, body);
  if (!keyOpens(room, request)) return refuse(response, 403, 'forbidden');
  if (what === 'commands') return command(response, room, body);
  if (what === 'events') return stream(response, room);
  return answer(response, 200, snapshot(room));
}

const server = http.createServer((request, response) => {
  if (request.method === 'GET') {
    handle(request, response, null);
    return;
  }
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => handle(request, response, JSON.parse(Buffer.concat(parts))));
});
server.keepAliveTimeout = 0;
server.requestTimeout = 0;
server.on('connection', (socket) => socket.setNoDelay(true));
server.listen({ host: '127.0.0.1', port: 0, backlog: 1024 }, () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`);
});
setInterval(() => {
  for (const room of rooms.values())
    for (const response of room.streams) response.write(': ping\n\n');
}, PING_MS);
process.on('SIGTERM', () => process.exit(0));
