import { randomBytes } from 'node:crypto'
import { unread } from '@galley/wire'
import type { WebContents } from 'electron'

import type { BlockPlace, Change, ChangeKind } from '../../ipc/desk.ts'
import { pagePaths } from './page-paths.ts'

/**
 * Any id except 0 is an isolated world: its script can access the page's document, but not the page's scripts, and runs even
 * if the page must not run any.
 */
const isolatedWorld = 998

/** A mark on one page: where a change is there, and which parts of its text. */
interface Mark {
  readonly kind: ChangeKind
  readonly places: readonly BlockPlace[]
  /** Whether the block is not in this page, and was behind this place. */
  readonly isGone: boolean
  readonly text: string
  readonly ranges: Change['addedRanges']
}

/** The page that marks are drawn on: with the changes, or as it was. */
export type MarkedSide = 'now' | 'before'

/** The changes of a page as marks, in the same order. */
export const marksOf = (changes: readonly Change[], side: MarkedSide): readonly Mark[] =>
  changes.map(({ kind, before, after, from, to, behind, addedRanges, removedRanges }) => {
    const [places, text, ranges] = side === 'now' ? [to, after, addedRanges] : [from, before, removedRanges]
    const isGone = side === 'now' && kind === 'removed'
    return {
      kind,
      places: isGone && behind !== null ? [behind] : places,
      isGone,
      text: text ?? '',
      ranges,
    }
  })

/**
 * Words that changed, marked by shape and colour. Chromium takes colours of highlights only from styles of the page's own
 * origin, which its sheets could override if they knew the name: it is random.
 */
const wordSheets: Readonly<Record<MarkedSide, (name: string) => string>> = {
  now: (name) => `::highlight(${name}) { color: #0b3d1e !important; background-color: #c5efd2 !important;
    text-decoration: underline 2px #156c2e !important; }`,
  before: (name) => `::highlight(${name}) { color: #5c1216 !important; background-color: #ffd9d6 !important;
    text-decoration: line-through 2px #c4262e !important; }`,
}

const sheet = `
.all { all: initial; position: absolute; top: 0; left: 0; display: block; overflow: clip; pointer-events: none;
  user-select: none; z-index: 2147483647; }
.all > * { position: absolute; box-sizing: border-box; display: block; --ink: #1f5fd0; border: 2px solid var(--ink);
  border-radius: 4px; box-shadow: 0 0 0 1px rgb(255 255 255 / 80%); }
.all > .inserted { --ink: #156c2e; border-style: dashed; }
.all > .removed { --ink: #c4262e; border-style: dashed; }
.all > .picture { --ink: #8a5a00; border: 6px double var(--ink); }
.all > .moved { --ink: #6b3fb5; border-style: dotted; border-width: 3px; }
.all > .split, .all > .joined { border-width: 0 4px; border-radius: 0; }
.all > .attribute, .all > .style, .all > .look { --ink: #555b66; border-width: 1px; border-style: dashed; }
.all > .gone { border-width: 0 0 3px; border-radius: 0; border-bottom-style: dashed; }
.all > .chosen { box-shadow: 0 0 0 4px color-mix(in srgb, var(--ink) 40%, transparent); }
.all > b[class] { display: grid; place-items: center; min-width: 20px; height: 20px; padding: 0 5px; border: 1px solid #ffffff;
  border-radius: 10px; background: var(--ink); color: #ffffff; font: 600 11px/1 sans-serif; box-shadow: none; }
.all > .place { --ink: #7a3e00; border-style: dashed; }
.all > u { display: grid; place-items: center; min-width: 20px; height: 20px; padding: 0 5px; border: 1px solid #ffffff;
  border-radius: 10px 10px 10px 1px; background: #7a3e00; color: #ffffff; font: 600 11px/1 sans-serif; text-decoration: none; }
.all > u.chosen { box-shadow: 0 0 0 3px color-mix(in srgb, #7a3e00 40%, transparent); }
.all > b[class].chosen { box-shadow: 0 0 0 3px color-mix(in srgb, var(--ink) 40%, transparent); }`

export const skipped = [...unread, 'svg', 'iframe', 'video', 'audio', 'object', 'embed', 'canvas', 'portal']

/**
 * What runs in a page. The marks are in a closed shadow root of its body, beside a slot for all that is in it: so no selector
 * of the page matches them, none matches less because of them, and they take no room. A string, since main has no types of
 * a document.
 */
const script = `(marks, name, skipped) => {
  if (document.body === null || document.body.localName !== 'body') return [];
  for (const known of [...CSS.highlights.keys()]) CSS.highlights.delete(known);
  const all = document.createElement('div');
  all.className = 'all';
  all.setAttribute('aria-hidden', 'true');
  const hostOf = () => {
    if (document.querySelector('object, embed') === null) return document.body;
    // Once these are in a slot, Chromium may never draw them.
    const host = document.createElement('div');
    host.style.setProperty('all', 'initial', 'important');
    return document.documentElement.appendChild(host);
  };
  const attach = () => {
    if (all.isConnected) return;
    const root = (globalThis.galleyRoot ??= hostOf().attachShadow({ mode: 'closed' }));
    const rules = new CSSStyleSheet();
    rules.replaceSync(${JSON.stringify(sheet)});
    root.adoptedStyleSheets = [rules];
    root.replaceChildren(document.createElement('slot'), all);
  };
  if (marks.length > 0 || globalThis.galleyRoot !== undefined) attach();

  const paths = ${pagePaths};
  const found = ({ path, run }) => {
    const element = paths.at(path);
    return element ? [{ element, run, range: paths.range(element, run) }] : [];
  };
  const rectOf = ({ element, run, range }) => {
    const rect = run === null ? element.getBoundingClientRect() : range.getBoundingClientRect();
    return rect.width === 0 && rect.height === 0 ? range.getBoundingClientRect() : rect;
  };
  const drawn = marks.map((mark, number) => ({ ...mark, number, places: mark.places.flatMap(found), boxes: [] }));

  // Text is told by its characters without white space, which collapses differently.
  const white = /[ \\t\\n\\f\\r]/g;
  const lettersIn = (text) => text.replace(white, '').length;
  const rangesIn = (places, text, ranges) => {
    const letters = [];
    for (const { element, range } of places) {
      const walker = document.createTreeWalker(element, 5, (node) =>
        node.nodeType === 3 ? 1 : skipped.includes(node.localName) ? 2 : 3);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
        if (range.intersectsNode(node))
          for (let at = 0; at < node.length; at++) if (!/[ \\t\\n\\f\\r]/.test(node.data[at])) letters.push([node, at]);
    }
    if (letters.length !== lettersIn(text)) return [];
    return ranges.flatMap(([start, end]) => {
      const from = letters[lettersIn(text.slice(0, start))];
      const to = letters[lettersIn(text.slice(0, end)) - 1];
      if (from === undefined || to === undefined || lettersIn(text.slice(start, end)) === 0) return [];
      const range = document.createRange();
      range.setStart(...from);
      range.setEnd(to[0], to[1] + 1);
      return [range];
    });
  };
  const words = drawn.flatMap(({ places, text, ranges }) => ranges.length === 0 ? [] : rangesIn(places, text, ranges));
  CSS.highlights.set(name, new Highlight(...words));

  for (const mark of drawn) {
    mark.boxes = mark.places.map(() => document.createElement('i'));
    mark.badge = document.createElement('b');
    for (const each of [...mark.boxes, mark.badge]) each.className = mark.kind + (mark.isGone ? ' gone' : '');
    mark.badge.textContent = String(mark.number + 1);
    if (mark.boxes.length > 0) all.append(...mark.boxes, mark.badge);
  }

  const emphasise = (number) => {
    for (const mark of drawn)
      for (const each of [...mark.boxes, mark.badge]) each.classList.toggle('chosen', mark.number === number);
  };
  // Marks that are drawn anew only have more behind them.
  emphasise(globalThis.galleyChosen);

  const followers = [];
  const place = () => {
    if (!all.isConnected) return [];
    all.style.display = 'none';
    const { scrollWidth, scrollHeight: height } = document.documentElement;
    const rects = drawn.map(({ places }) => places.map(rectOf));
    all.style.cssText = '';
    const { left, top } = all.getBoundingClientRect();
    // Up to the end of the document, which must not grow.
    const width = scrollWidth - left - scrollX;
    all.style.width = width + 'px';
    all.style.height = height - top - scrollY + 'px';
    const taken = new Map();
    for (const [number, { boxes, badge, isGone }] of drawn.entries()) {
      for (const [at, rect] of rects[number].entries()) {
        const x = Math.max(0, rect.left - left - 5);
        const y = Math.max(0, isGone ? rect.bottom - top : rect.top - top - 4);
        boxes[at].style.cssText = 'left:' + x + 'px;top:' + y + 'px;width:' +
          Math.max(0, Math.min(rect.width + 10, width - x - 1)) + 'px;height:' + (isGone ? 4 : rect.height + 8) + 'px' +
          (rect.width + rect.height === 0 ? ';display:none' : '');
        if (at > 0) continue;
        const wide = Math.max(0, Math.min(rect.width + 10, width - x - 1));
        // Not on the first letter of a text that begins at the edge of the page.
        const isFromLeft = getComputedStyle(drawn[number].places[0].element).direction === 'ltr';
        const inside = isFromLeft ? Math.max(0, x + wide - 24) : x + 2;
        const beside = x - 26 >= 0 ? x - 26 : x + wide + 26 <= width ? x + wide + 2 : inside;
        const edge = isGone ? y - 8 : y;
        const key = Math.round(beside) + ' ' + Math.round(edge / 10);
        const above = taken.get(key) ?? 0;
        taken.set(key, above + 1);
        badge.style.cssText = 'left:' + beside + 'px;top:' + Math.max(0, edge + 22 * above) + 'px' +
          (rect.width + rect.height === 0 ? ';display:none' : '');
      }
    }
    for (const follow of followers) follow({ left, top, width });
    return drawn.map(({ boxes }, number) => {
      const rect = rects[number][0];
      return rect === undefined || rect.width + rect.height === 0 ? null
        : Math.min(1, Math.max(0, ((marks[number].isGone ? rect.bottom : rect.top) - top) / Math.max(1, height)));
    });
  };
  let isDue = false;
  const soon = () => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => { isDue = false; place(); });
  };
  new ResizeObserver(soon).observe(document.body);
  addEventListener('resize', soon);
  addEventListener('load', soon, true);
  document.fonts.addEventListener('loadingdone', soon);
  // What does not scroll with the page, its marks have to follow.
  const isElsewhere = drawn.some(({ places }) => places.some(({ element }) => {
    for (let outer = element; outer !== null; outer = outer.parentElement)
      if (/fixed|sticky/.test(getComputedStyle(outer).position)) return true;
    return false;
  }));
  addEventListener('scroll', ({ target }) => { if (isElsewhere || target !== document) soon(); }, true);

  const show = ({ element, run, range }) => {
    const { top, bottom } = rectOf({ element, run, range });
    if (top >= 40 && bottom <= innerHeight - 40) return;
    if (run === null && bottom - top < innerHeight)
      element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
    else scrollTo({ top: scrollY + top - 80, behavior: 'instant' });
    place();
  };
  globalThis.galley = {
    all, attach, paths, found, rangesIn, rectOf, followers, place, show,
    choose(number) {
      emphasise((globalThis.galleyChosen = number));
      const [first] = drawn[number]?.places ?? [];
      globalThis.galley.forget?.();
      if (first !== undefined) show(first);
    },
    /** The change nearest to the middle of the screen, and where it is. */
    nearest() {
      const middle = innerHeight / 2;
      let near = { number: null, top: 0, y: scrollY, far: Infinity };
      for (const { number, places } of drawn) {
        if (places.length === 0) continue;
        const { top } = rectOf(places[0]);
        if (Math.abs(top - middle) < near.far) near = { number, top, y: scrollY, far: Math.abs(top - middle) };
      }
      return near;
    },
    align({ number, top, y }) {
      const [first] = drawn[number]?.places ?? [];
      scrollTo({ top: first === undefined ? y : scrollY + rectOf(first).top - top, behavior: 'instant' });
    },
  };
  return place();
}`

export const run = async (contents: WebContents, code: string): Promise<unknown> =>
  contents.executeJavaScriptInIsolatedWorld(isolatedWorld, [{ code }])

/** Draws marks on a loaded page, in place of those that it has. Returns where each is in its height, from 0 to 1; null for those without a place. */
export async function drawMarks(
  contents: WebContents,
  marks: readonly Mark[],
  side: MarkedSide,
): Promise<readonly (number | null)[]> {
  const name = `galley-${side}-${randomBytes(8).toString('hex')}`
  await contents.insertCSS(wordSheets[side](name))
  const places = await run(contents, `(${script})(${JSON.stringify(marks)}, '${name}', ${JSON.stringify(skipped)})`)
  return Array.isArray(places) ? places.map((place: unknown) => (typeof place === 'number' ? place : null)) : []
}

/** Resolves when the page has drawn what it shows now. */
export const painted = (contents: WebContents): Promise<unknown> =>
  run(contents, 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null))))')

/** Scrolls to a change, by its number from 0, and emphasises its mark. */
export const chooseMark = (contents: WebContents, number: number): Promise<unknown> =>
  run(contents, `globalThis.galley?.choose(${Math.trunc(number)})`)

/** Scrolls another page so that the change that is nearest in this one is at the same height. */
export async function alignTo(one: WebContents, other: WebContents): Promise<void> {
  const nearest = await run(one, 'globalThis.galley?.nearest()')
  await run(other, `globalThis.galley?.align(${JSON.stringify(nearest ?? { number: null, top: 0, y: 0 })})`)
}
