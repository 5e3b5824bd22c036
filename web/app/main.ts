// SPDX-License-Identifier: MIT
import { mount } from 'svelte';
import { wordsFor } from '../core/words/index.ts';
import App from './App.svelte';
import { pageAt } from './catalogue.ts';

const words = wordsFor([navigator.language]);
const page = pageAt(location.pathname);
const target = document.getElementById('app');
if (target === null) throw new Error('the page has no place for the application');

document.documentElement.lang = words.language;
document.title =
  page.kind === 'game'
    ? `${words.games[page.entry.game].title} · ${words.site.name}`
    : page.kind === 'home'
      ? `${words.site.name} · ${words.home.title}`
      : `${(page.kind === 'not-shown' ? words.notShown : words.notFound).title} · ${words.site.name}`;

mount(App, { target, props: { words, page } });
