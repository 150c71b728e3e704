// What the scripts expect of a browser: the libraries by their names, and the page. It is loaded before every test.
import {registerHooks} from 'node:module';
import {readFileSync} from 'node:fs';

/** Names, or beginnings of names, of what the libraries have, and their paths. */
const libraries = JSON.parse(readFileSync(new URL('../imports.json', import.meta.url), 'utf8'));
const names = Object.keys(libraries).sort((a, b) => b.length - a.length);
const kept = new Map();

registerHooks({
  resolve(name, context, next) {
    const known = names.find(one => name === one || (one.endsWith('/') && name.startsWith(one)));
    return known === undefined
      ? next(name, context)
      : {
          url: new URL(`..${libraries[known]}${name.slice(known.length)}`, import.meta.url).href,
          format: 'module',
          shortCircuit: true,
        };
  },
});

globalThis.document = {documentElement: {lang: 'en', style: {}}};
Object.defineProperty(globalThis, 'navigator', {value: {languages: ['en-US']}, configurable: true});
globalThis.localStorage = {
  getItem: key => kept.get(key) ?? null,
  setItem: (key, value) => kept.set(key, String(value)),
  removeItem: key => kept.delete(key),
};
