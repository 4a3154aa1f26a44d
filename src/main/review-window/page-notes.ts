import { randomBytes } from 'node:crypto'
import { quoteMaxChars } from '@galley/library/records'
import { inLine } from '@galley/wire'
import type { WebContents } from 'electron'
import { z } from 'zod'

import { commentSelection } from '../../ipc/comments.ts'
import type { BlockPlace, PinnedComment } from '../../ipc/desk.ts'
import { run, skipped } from './marks.ts'

/**
 * What runs in a marked page for comments: pins beside the commented places, in the layer of the marks, and what a person
 * selected or clicked. A string, since main has no types of a document.
 */
const script = `(name, skipped, inLine, maxChars) => {
  const galley = globalThis.galley;
  if (galley === undefined || galley.pin !== undefined) return;
  let pins = [];
  let clicked = null;
  const goal = document.createElement('i');
  let goalPlace = null;

  const { paths } = galley;
  const pictureAt = (element) => element.closest('svg') ?? element.closest('img');
  const aboutElement = (element, x, y) => {
    const picture = pictureAt(element);
    const path = paths.of(picture ?? element);
    if (path === null) return null;
    const { left, top, width, height } = (picture ?? element).getBoundingClientRect();
    const part = (at, size) => size === 0 ? 0 : Math.min(1, Math.max(0, at / size));
    return {
      selection: { kind: 'element', path, region: picture === null
        ? { x: 0, y: 0, width: 1, height: 1 } : { x: part(x - left, width), y: part(y - top, height), width: 0, height: 0 } },
      label: (picture?.getAttribute('alt') || element.textContent).replace(/\\s+/g, ' ').trim().slice(0, 200),
    };
  };
  addEventListener('mousedown', ({ target, clientX, clientY }) => {
    clicked = target instanceof Element && document.body.contains(target) ? aboutElement(target, clientX, clientY) : null;
  }, true);

  /** The text of a selection, with the text around it; a line feed wherever another block begins. */
  const quoteOf = (selected) => {
    let [text, block, from, to, first] = ['', null, -1, -1, null];
    const walker = document.createTreeWalker(document.body, 5, (node) =>
      node.nodeType === 3 || node.localName === 'br' ? 1 : skipped.includes(node.localName) ? 2 : 3);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      let around = node.parentElement;
      while (inLine.includes(around.localName)) around = around.parentElement;
      if (node.nodeType === 1 || (block !== null && around !== block)) text += '\\n';
      block = around;
      if (node.nodeType === 1) continue;
      if (selected.intersectsNode(node)) {
        if (first === null) {
          first = node.parentElement;
          from = text.length + (node === selected.startContainer ? selected.startOffset : 0);
        }
        to = text.length + (node === selected.endContainer ? selected.endOffset : node.length);
      }
      text += node.data;
    }
    const exact = text.slice(from, to).trim().slice(0, maxChars);
    if (first === null || exact === '') return null;
    const start = text.indexOf(exact, from);
    return {
      selection: { kind: 'text', exact, prefix: text.slice(Math.max(0, start - 60), start),
        suffix: text.slice(start + exact.length, start + exact.length + 60), near: paths.of(first) },
      label: exact.replace(/\\s+/g, ' ').slice(0, 200),
    };
  };

  const pictureIn = ({ element, range }, number) =>
    [...element.querySelectorAll('img, svg'), ...(element.matches('img, svg') ? [element] : [])]
      .filter((each) => range.intersectsNode(each) && each.parentElement.closest('svg') === null)[number];
  const rectsOf = ({ places, region, ranges }) => {
    if (ranges.length > 0) return [ranges[0].getClientRects()[0] ?? ranges[0].getBoundingClientRect()];
    return places.slice(0, 1).map(({ at, picture }) => {
      const { left, top, width, height } =
        picture === undefined ? galley.rectOf(at) : picture.getBoundingClientRect();
      return region === null ? { left, top, right: left, width }
        : { left, top: top + region.y * height, right: left + (region.x + region.width) * width, width };
    });
  };
  const drop = (pin) => pin.badge.remove();
  galley.followers.push(({ left, top, width }) => {
    const taken = new Set();
    for (const pin of pins) {
      const [rect] = rectsOf(pin);
      if (rect === undefined) { pin.badge.style.display = 'none'; continue; }
      let x = Math.max(0, Math.min(rect.right - left, width - 24));
      const y = Math.max(0, Math.round(rect.top - top - 16));
      while (taken.has(Math.round(x) + ' ' + y) && x >= 24) x -= 24;
      taken.add(Math.round(x) + ' ' + y);
      pin.badge.style.cssText = 'left:' + x + 'px;top:' + y + 'px';
    }
    if (goalPlace === null) return;
    const rect = galley.rectOf(goalPlace);
    goal.style.cssText = 'left:' + Math.max(0, rect.left - left - 4) + 'px;top:' + Math.max(0, rect.top - top - 4) +
      'px;width:' + Math.min(rect.width + 8, width) + 'px;height:' + (rect.height + 8) + 'px';
  });
  const point = (place) => {
    goalPlace = place;
    goal.className = 'place chosen';
    if (place === null) goal.remove();
    else { galley.attach(); galley.all.append(goal); galley.place(); galley.show(place); }
  };

  galley.forget = () => {
    clicked = null;
    getSelection().removeAllRanges();
    point(null);
  };
  galley.pin = (comments) => {
    pins.forEach(drop);
    pins = comments.map(({ id, number, region, places }) => {
      const found = places.flatMap((place) => galley.found(place.block).map((at) => ({
        at, place, picture: place.picture === null ? undefined : pictureIn(at, place.picture) })));
      const ranges = found.flatMap(({ at, place }) =>
        place.range === null ? [] : galley.rangesIn([at], place.text, [place.range]));
      const badge = document.createElement('u');
      badge.textContent = String(number);
      galley.attach();
      galley.all.append(badge);
      return { id, region, places: found, ranges, badge };
    });
    CSS.highlights.set(name, new Highlight(...pins.flatMap(({ ranges }) => ranges)));
    galley.place();
  };
  galley.goTo = (id) => {
    for (const pin of pins) pin.badge.classList.toggle('chosen', pin.id === id);
    const [first] = pins.find((pin) => pin.id === id)?.places ?? [];
    point(null);
    if (first !== undefined) galley.show(first.at);
  };
  galley.point = (block) => { const [place] = galley.found(block); if (place !== undefined) point(place); };
  galley.picked = () => {
    const selected = getSelection();
    const quote = selected.rangeCount === 0 || selected.isCollapsed ? null : quoteOf(selected.getRangeAt(0));
    return quote ?? clicked;
  };
  galley.inSight = () => {
    const element = document.elementFromPoint(innerWidth / 2, innerHeight / 3);
    return element === null || !document.body.contains(element) ? null : aboutElement(element, 0, 0);
  };
}`

/** What a comment would be about, and how it is called. */
const picked = z.strictObject({ selection: commentSelection, label: z.string().max(200) })
export type Picked = z.output<typeof picked>

const ready = new WeakMap<WebContents, Promise<unknown>>()

/** Prepares a page once, so that clicks in it are noticed from now on. */
async function prepare(contents: WebContents): Promise<void> {
  let prepared = ready.get(contents)
  if (prepared === undefined) {
    const name = `galley-comments-${randomBytes(8).toString('hex')}`
    await contents.insertCSS(
      `::highlight(${name}) { color: #3d2b00 !important; background-color: #ffe39b !important; }`,
    )
    prepared = run(
      contents,
      `(${script})('${name}', ${JSON.stringify(skipped)}, ${JSON.stringify([...inLine])}, ${quoteMaxChars})`,
    )
    ready.set(contents, prepared)
  }
  await prepared
}

/** What a person selected or clicked in a page; null if nothing. */
export const pickedIn = (contents: WebContents): Promise<Picked | null> => ask(contents, 'picked')

/** What is in the upper part of the screen. */
export const inSightOf = (contents: WebContents): Promise<Picked | null> => ask(contents, 'inSight')

async function ask(contents: WebContents, what: 'picked' | 'inSight'): Promise<Picked | null> {
  await prepare(contents)
  // What comes from the page of somebody else is checked like every other input.
  const answer = picked.nullable().safeParse((await run(contents, `globalThis.galley?.${what}() ?? null`)) ?? null)
  return answer.success ? answer.data : null
}

/** Shows where comments are; a page without their places loses their pins. */
export async function pinComments(contents: WebContents, comments: readonly PinnedComment[]): Promise<void> {
  await prepare(contents)
  await run(contents, `globalThis.galley?.pin(${JSON.stringify(comments)})`)
}

/** Scrolls to a comment that is pinned, or to a block. */
export async function goToPlace(
  contents: WebContents,
  place: { readonly comment: string } | BlockPlace,
): Promise<void> {
  await prepare(contents)
  await run(
    contents,
    'comment' in place
      ? `globalThis.galley?.goTo(${JSON.stringify(place.comment)})`
      : `globalThis.galley?.point(${JSON.stringify(place)})`,
  )
}
