// SPDX-License-Identifier: MIT
/* Playing at a distance: two browsers and one room. */
import assert from 'node:assert/strict';
import { button, choice, expectPly, openTable, PATH, playPly, readTable } from './table.mjs';

const SEAT = 'mini-shogi-online-seat-v1';

const sentenceIs = (page, text) =>
  page.locator('[data-testid="state"]', { hasText: text }).waitFor();
const isLive = (page) => page.locator('[data-testid="connection"].live').waitFor();

async function createRoom(page, url) {
  await openTable(page, url);
  await button(page, 'Créer un salon').click();
  const link = page.getByLabel('Lien d’invitation');
  await link.waitFor();
  return link.inputValue();
}

async function joinRoom(page, link) {
  await page.goto(link);
  await button(page, 'Rejoindre la partie').click();
  await page.waitForSelector('[data-testid="room"]');
}

async function openRoom({ open, server }) {
  const host = await open();
  const guest = await open();
  const link = await createRoom(host, server.url);
  await joinRoom(guest, link);
  await sentenceIs(host, 'À vous de jouer.');
  await sentenceIs(guest, 'À Sente de jouer.');
  return { host, guest, link };
}

/* Plays ply `number` on the page whose turn it is, and holds both pages to it. */
async function playBoth({ host, guest }, game, number) {
  const mover = number % 2 === 0 ? host : guest;
  await playPly(mover, game.plies[number]);
  await expectPly(host, game.plies, number, { side: 0 });
  await expectPly(guest, game.plies, number, { side: 1 });
}

/* How a page comes to have no rules, and what it then says. */
const BROKEN = [
  [(page) => page.route('**/*.wasm', (route) => route.abort()), /Rechargez la page/],
  [
    (page) => page.addInitScript(() => delete window.WebAssembly),
    /^Ce navigateur ne peut pas(?!.*Rechargez)/,
  ],
];
const JOIN = 'Rejoindre la partie';
const CREATE = 'Créer un salon';

export const tests = {
  'a page without rules takes no seat, and the invitation stays good': async (bench) => {
    const { open, server, game } = bench;
    const host = await open();
    const link = await createRoom(host, server.url);
    for (const [breakRules, sentence] of BROKEN) {
      const page = await open();
      await breakRules(page);
      await page.goto(link);
      assert.match(await page.locator('[data-testid="broken"]').innerText(), sentence);
      await page.getByRole('heading', { name: 'invité' }).waitFor();
      assert.equal(await button(page, JOIN).count(), 0);
      await button(page, 'Ne pas rejoindre').click();
      await page.locator('[data-testid="invitation"]').waitFor({ state: 'detached' });
      assert.equal(await button(page, CREATE).count(), 0);
      await page.goto(`${server.url}${PATH}#invite=abc`);
      await page.locator('[data-testid="problem"]').waitFor();
      assert.equal(await button(page, CREATE).count(), 0);
    }
    const guest = await open();
    await joinRoom(guest, link);
    await playBoth({ host, guest }, game, 0);
  },

  'no seat is taken before the rules are there': async ({ open, server }) => {
    const host = await open();
    const link = await createRoom(host, server.url);
    for (const [address, name] of [
      [link, JOIN],
      [`${server.url}${PATH}`, CREATE],
      [`${server.url}${PATH}#invite=abc`, CREATE],
    ]) {
      const page = await open();
      let release;
      const held = new Promise((resolve) => (release = resolve));
      await page.route('**/*.wasm', (route) => held.then(() => route.continue()));
      await page.goto(address);
      await button(page, name).waitFor();
      assert.ok(await button(page, name).isDisabled(), `${name}, ${address}`);
      release();
      await page.waitForSelector('[data-square="0"]');
      assert.ok(await button(page, name).isEnabled(), `${name}, ${address}`);
    }
  },

  'a seat found again without rules can be left': async ({ open, server }) => {
    for (const [breakRules, sentence] of BROKEN) {
      const page = await open();
      await createRoom(page, server.url);
      const seat = () => page.evaluate((key) => sessionStorage.getItem(key), SEAT);
      await breakRules(page);
      await page.reload();
      assert.match(await page.locator('[data-testid="broken"]').innerText(), sentence);
      await button(page, 'Quitter le salon').click();
      await choice(page, 'Annuler').click();
      assert.notEqual(await seat(), null);
      await button(page, 'Quitter le salon').click();
      await choice(page, 'Quitter le salon').click();
      await page.locator('[data-testid="room"]').waitFor({ state: 'detached' });
      assert.equal(await seat(), null);
    }
  },

  'two browsers play a whole game to mate, each reloaded in the middle': async (bench) => {
    const { game } = bench;
    const pages = await openRoom(bench);
    assert.equal(new URL(pages.guest.url()).hash, '', 'the invitation leaves the address');
    for (let number = 0; number < game.plies.length; number++) {
      await playBoth(pages, game, number);
      for (const [at, page, side] of [
        [10, pages.host, 0],
        [17, pages.guest, 1],
      ]) {
        if (number !== at) continue;
        await page.reload();
        await page.waitForSelector('[data-testid="room"]');
        await expectPly(page, game.plies, number, { side });
      }
    }
    const texts = await Promise.all([pages.host, pages.guest].map(readTable));
    const ends = ['Gote gagne', 'vous gagnez'];
    if (game.winner === 0) ends.splice(0, 2, 'vous gagnez', 'Sente gagne');
    assert.deepEqual(
      texts.map(({ sentence }) => sentence),
      ends.map((end) => `Échec et mat\u00a0: ${end}.`),
    );
    /* After the end the way out needs no confirmation. */
    await button(pages.host, 'Quitter le salon').click();
    await button(pages.host, 'Créer un salon').waitFor();
  },

  'the server is killed in the middle, and the game goes on': async (bench) => {
    const { game, server } = bench;
    const pages = await openRoom(bench);
    for (let number = 0; number < 4; number++) await playBoth(pages, game, number);
    await server.stop('SIGKILL');
    await pages.host.locator('[data-testid="connection"].cut').waitFor();
    assert.match((await readTable(pages.host)).notice, /Connexion coupée/);
    await server.start();
    for (const page of [pages.host, pages.guest]) {
      const retry = button(page, 'Réessayer maintenant');
      await Promise.race([retry.click().catch(() => undefined), isLive(page)]);
      await isLive(page);
    }
    for (let number = 4; number < 8; number++) await playBoth(pages, game, number);
  },

  'a move is sent until it is answered, and played once': async (bench) => {
    const { game } = bench;
    const pages = await openRoom(bench);
    const bodies = [];
    await pages.host.route('**/commands', async (route) => {
      bodies.push(route.request().postData());
      if (bodies.length === 1) return route.abort();
      if (bodies.length === 2) {
        /* The answer is lost, the move is not. */
        await route.fetch();
        return route.abort();
      }
      return route.continue();
    });
    await playBoth(pages, game, 0);
    await pages.host.waitForFunction(
      () => document.querySelector('[data-testid="notice"]').textContent.trim() === '',
    );
    assert.equal(new Set(bodies).size, 1, 'the same command each time');
    assert.ok(bodies.length >= 3);
    for (let number = 1; number < 3; number++) await playBoth(pages, game, number);
  },

  'who creates has the link before them, who joins the board, and a move scrolls nothing': async (
    bench,
  ) => {
    const host = await bench.open({ viewport: { width: 390, height: 844 } });
    const guest = await bench.open({ viewport: { width: 390, height: 844 } });
    const focus = (page) =>
      page.evaluate(() => document.activeElement.id || document.activeElement.dataset.square);
    const link = await createRoom(host, bench.server.url);
    assert.equal(await focus(host), 'invite-link');
    await joinRoom(guest, link);
    await sentenceIs(guest, 'À Sente de jouer.');
    assert.equal(await focus(guest), '2');
    await guest.evaluate(() => window.scrollTo(0, 300));
    await playBoth({ host, guest }, bench.game, 0);
    assert.equal(await guest.evaluate(() => window.scrollY), 300);
  },

  'out of turn nothing is played, and the page says so': async (bench) => {
    const { guest } = await openRoom(bench);
    await guest.click('[data-square="4"]');
    assert.match((await readTable(guest)).notice, /autre joueur/);
    assert.ok(await button(guest, 'Abandonner').isDisabled());
  },

  'a tab that is behind is brought up to date': async (bench) => {
    const { game } = bench;
    const pages = await openRoom(bench);
    const seat = await pages.host.evaluate((key) => sessionStorage.getItem(key), SEAT);
    const second = await bench.open();
    /* The second tab of the host hears nothing of the first move. */
    await second.addInitScript(([key, value]) => sessionStorage.setItem(key, value), [SEAT, seat]);
    let streams = 0;
    await second.route('**/events', (route) =>
      streams++ === 0 ? route.continue() : route.abort(),
    );
    await openTable(second, bench.server.url);
    await isLive(second);
    await second.route('**/commands', async (route) => {
      const body = route.request().postDataJSON();
      return route.continue({ postData: JSON.stringify({ ...body, rev: body.rev - 1 }) });
    });
    await second.click(`[data-square="${game.plies[0].action.from}"]`);
    await second.click(`[data-square="${game.plies[0].action.to}"]`);
    await second.locator('[data-testid="notice"]', { hasText: 'avait avancé' }).waitFor();
    await playBoth(pages, game, 0);
  },

  'resigning is confirmed and told to both': async (bench) => {
    const { host, guest } = await openRoom(bench);
    await button(host, 'Abandonner').click();
    await choice(host, 'Abandonner').click();
    await sentenceIs(host, 'Vous abandonnez\u00a0: Gote gagne.');
    await sentenceIs(guest, 'Sente abandonne\u00a0: vous gagnez.');
    /* A room has no new game to point to. */
    for (const page of [host, guest]) {
      await page.click('[data-square="12"]');
      assert.equal((await readTable(page)).notice, 'La partie est finie.');
    }
  },

  'Gote has its own side at the bottom, and arrows follow the screen': async (bench) => {
    const { host, guest } = await openRoom(bench);
    assert.equal((await readTable(host)).bottom, 0);
    assert.equal((await readTable(guest)).bottom, 1);
    await guest.locator('[data-square="12"]').focus();
    for (const [key, square] of [
      ['ArrowUp', '17'],
      ['ArrowLeft', '18'],
      ['ArrowLeft', '19'],
      ['ArrowLeft', '19'],
      ['ArrowDown', '14'],
    ]) {
      await guest.keyboard.press(key);
      assert.equal(await guest.evaluate(() => document.activeElement.dataset.square), square, key);
    }
  },

  'the link is copied, or left selected where there is no clipboard': async ({ open, server }) => {
    const plain = await open();
    await plain.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined });
    });
    await createRoom(plain, server.url);
    await button(plain, 'Copier le lien').click();
    await plain.getByText('Lien sélectionné').waitFor();
    const selected = await plain.evaluate(() => {
      const field = document.activeElement;
      return field.value.slice(field.selectionStart, field.selectionEnd);
    });
    assert.match(selected, /#invite=/);

    const secure = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
    const link = await createRoom(secure, server.url);
    await button(secure, 'Copier le lien').click();
    await secure.getByText('Lien copié').waitFor();
    assert.equal(await secure.evaluate(() => navigator.clipboard.readText()), link);
  },

  'a third person is told that the room is full, and may create another': async (bench) => {
    const { link } = await openRoom(bench);
    const third = await bench.open();
    await third.goto(link);
    await button(third, 'Rejoindre la partie').click();
    await third.locator('[data-testid="problem"]', { hasText: 'complet' }).waitFor();
    await button(third, 'Créer un salon').click();
    await third.getByLabel('Lien d’invitation').waitFor();
    assert.equal(new URL(third.url()).hash, '');
  },

  'a join whose answer is lost is tried again, and has its seat': async ({
    open,
    server,
    game,
  }) => {
    const host = await open();
    const guest = await open();
    const link = await createRoom(host, server.url);
    let requests = 0;
    await guest.route('**/join', async (route) => {
      if (++requests > 1) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await guest.goto(link);
    await button(guest, 'Rejoindre la partie').click();
    await guest.locator('[data-testid="problem"]', { hasText: 'ne répond pas' }).waitFor();
    await button(guest, 'Réessayer').click();
    await sentenceIs(guest, 'À Sente de jouer.');
    await playBoth({ host, guest }, game, 0);
  },

  'bad invitations say what to do, and the local game stays': async ({ open, server }) => {
    const page = await open();
    await openTable(page, server.url, '#invite=abc');
    await page.locator('[data-testid="problem"]', { hasText: 'pas complet' }).waitFor();
    assert.equal(new URL(page.url()).hash, '');
    await button(page, 'Jouer sur cet appareil').click();

    await page.evaluate((hash) => (location.hash = hash), `#invite=zzzzzzzzzzzz.${'A'.repeat(22)}`);
    await button(page, 'Rejoindre la partie').click();
    await page.locator('[data-testid="problem"]', { hasText: 'n’existe plus' }).waitFor();
    await button(page, 'Jouer sur cet appareil').click();
    await button(page, 'Créer un salon').waitFor();
  },

  'an invitation to another game leads to its address, which takes no seat': async (bench) => {
    const { server } = bench;
    const game = 'petits-carres';
    const post = async (path, body) => {
      const options = { method: 'POST', body: JSON.stringify(body) };
      return (await fetch(`${server.url}/api/v1/rooms${path}`, options)).json();
    };
    const { room, inviteUrl } = await post('', { game, settings: {} });
    const { hash } = new URL(inviteUrl);
    const page = await bench.open();
    await openTable(page, server.url, hash);
    await button(page, 'Rejoindre la partie').click();
    const right = page.getByRole('link', { name: 'Ouvrir la page de ce jeu' });
    assert.equal(await right.getAttribute('href'), `/rubriques/jeux-petits-carres${hash}`);
    await right.click();
    await page.getByRole('heading', { name: 'Ce jeu n’est pas sur cette page' }).waitFor();
    const invite = hash.replace('#invite=', '');
    assert.equal((await post(`/${room}/join`, { invite, game })).seat, 'guest');
  },

  'a seat that is damaged or of a room that is gone does not stop the page': async (bench) => {
    const page = await bench.open();
    await openTable(page, bench.server.url);
    await page.evaluate((key) => sessionStorage.setItem(key, '{"room":'), SEAT);
    await page.reload();
    await button(page, 'Créer un salon').waitFor();

    const seat = { room: 'zzzzzzzzzzzz', seat: 'host', key: 'A'.repeat(22), inviteUrl: null };
    await page.evaluate(
      ([key, value]) => sessionStorage.setItem(key, value),
      [SEAT, JSON.stringify(seat)],
    );
    await page.reload();
    await page.locator('[data-testid="problem"]').waitFor();
    await page.reload();
    await button(page, 'Créer un salon').waitFor();
    assert.equal(await page.evaluate((key) => sessionStorage.getItem(key), SEAT), null);
  },

  'storage that the browser refuses is said, and does not stop the game': async (bench) => {
    const host = await bench.open();
    await host.addInitScript(() => {
      Object.defineProperty(window, 'sessionStorage', {
        get: () => {
          throw new DOMException('refused', 'SecurityError');
        },
      });
    });
    const link = await createRoom(host, bench.server.url);
    await host.getByText('ne garde pas votre place').waitFor();
    const guest = await bench.open();
    await joinRoom(guest, link);
    await playBoth({ host, guest }, bench.game, 0);
  },

  'the same link in the tab that joined finds its seat': async (bench) => {
    const { guest, link } = await openRoom(bench);
    await guest.goto(`${bench.server.url}/`);
    await guest.goto(link);
    await sentenceIs(guest, 'À Sente de jouer.');
    assert.equal(new URL(guest.url()).pathname, PATH);
    assert.equal(new URL(guest.url()).hash, '');
  },
};
