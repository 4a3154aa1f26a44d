import { describe, expect, it } from 'vitest'

import type { AnchorState, FoundAnchor, Page } from '../../packages/compare/index.ts'
import {
  AnchorFinder,
  anchorOf,
  elementAnchorOf,
  partAround,
  partWithin,
  placeOf,
  readPage,
  regionOf,
} from '../../packages/compare/index.ts'
import type { Planted } from './anchors-planted.ts'
import { plantedEdit } from './anchors-planted.ts'

const read = (html: string): Page => readPage(html, () => null)

function placesIn(page: Page, { places }: FoundAnchor) {
  const leaves = page.blocks.filter(({ isEmpty }) => isEmpty).map((block) => JSON.stringify(placeOf(block)))
  return places.map(({ block, range }) => ({
    block: leaves.indexOf(JSON.stringify(block)),
    from: range?.[0] ?? 0,
    to: range?.[1] ?? 0,
  }))
}

/** What was found, and what is wrong about it; null if nothing is. */
function tried(planted: Planted): { readonly state: AnchorState; readonly wrong: string | null } {
  const [one, other] = [read(planted.before), read(planted.after)]
  const block = one.blocks.filter(({ isEmpty }) => isEmpty)[planted.at.block]
  const anchor = anchorOf(one, planted.quote, block === undefined ? null : placeOf(block).path)
  if (typeof anchor === 'string') return { state: 'lost', wrong: anchor === 'ambiguous' ? null : anchor }
  const found = new AnchorFinder(one, other).find(anchor)
  const { covered, others, areSame } = planted.judge(placesIn(other, found))
  const wrong = (): string | null => {
    switch (found.state) {
      case 'same':
      case 'moved':
        return areSame ? null : 'not these words'
      case 'changed':
        if (covered === 0) return 'elsewhere'
        return others > 12 ? 'too much' : null
      case 'lost':
        return ['nothing', 'around'].includes(planted.edit) && !planted.hasEqual ? 'not found' : null
    }
  }
  return { state: found.state, wrong: wrong() }
}

/** Some seconds for 12,000. */
const edits = 600

describe('a comment in another version', () => {
  it('is never at a wrong place, and is found where nothing happened to it', () => {
    const shares = { same: 0, moved: 0, changed: 0, lost: 0 }
    const wrong: string[] = []
    for (let seed = 0; seed < edits; seed += 1) {
      const planted = plantedEdit(seed)
      const { state, wrong: what } = tried(planted)
      shares[state] += 1
      if (what !== null) wrong.push(`${String(seed)} ${planted.edit}: ${what}, ${state}`)
    }
    expect(wrong).toStrictEqual([])
    // A finder that loses everything is never wrong either. Of these edits, about a quarter take the place away.
    expect(shares.lost / edits).toBeLessThan(0.35)
    expect(Math.min(shares.same, shares.moved, shares.changed)).toBeGreaterThan(edits / 20)
  })

  const page = (...blocks: readonly string[]): string =>
    `<main>${blocks.map((each) => `<p>${each}</p>`).join('')}</main>`
  const first = 'The night train leaves the harbour at nine and arrives before the market opens.'
  const second = 'Nobody in the village knew why the bridge had been closed for so long.'
  const third = 'Our reporter asked the teacher, the doctor and the driver of the last wagon.'
  const before = page(first, second, third)
  const found = (after: string, exact = 'the bridge'): string => {
    const [one, other] = [read(before), read(after)]
    const anchor = anchorOf(one, { exact, prefix: '', suffix: '' })
    if (typeof anchor === 'string') return anchor
    const { state, places } = new AnchorFinder(one, other).find(anchor)
    const leaves = other.blocks.filter(({ isEmpty }) => isEmpty)
    const texts = placesIn(other, { state, places }).map(({ block, from, to }) => leaves[block]?.text.slice(from, to))
    return [state, ...texts].join(': ')
  }

  it.each([
    [
      'stays where only its neighbours changed',
      page('New.', first, second.replace('long', 'many months'), third),
      'same: the bridge',
    ],
    [
      'says that its words were edited',
      page(first, second.replace('the bridge', 'the old bridge'), third),
      'changed: the old bridge',
    ],
    [
      'says that its words were replaced',
      page(first, second.replace('the bridge', 'our road'), third),
      'changed: our road',
    ],
    [
      'shows what is in its place, even where the same words are elsewhere',
      page(first, second.replace('the bridge ', 'it '), `${third} They saw the bridge.`),
      'changed: it',
    ],
    ['is lost with its paragraph', page(first, third), 'lost'],
    [
      'is lost where another paragraph is instead',
      page(first, 'Tickets for the summer concert on the island cost less this year.', third),
      'lost',
    ],
    [
      'is followed into a cut paragraph',
      page(first, 'Nobody in the village knew why', 'the bridge had been closed for so long.', third),
      'same: the bridge',
    ],
    [
      'says that it was cut in two',
      page(first, 'Nobody in the village knew why the', 'bridge had been closed for so long.', third),
      'changed: the: bridge',
    ],
    ['is followed into a joined paragraph', page(`${first} ${second}`, third), 'same: the bridge'],
  ])('%s', (_, after, expected) => {
    expect(found(after)).toBe(expected)
  })

  it('moves with its paragraph', () => {
    expect(found(page(third, first, second), 'the doctor')).toBe('moved: the doctor')
  })

  it('is lost rather than found in another text that shares a few words', () => {
    expect(found(page(first, third, 'The bridge'), 'the bridge had been closed')).toBe('lost')
  })

  it('is found where a sentence was taken to another paragraph', () => {
    const after = page(`${first} Nobody in the village knew why the bridge had been closed for so long.`, third)
    expect(found(after, 'knew why the bridge had been closed')).toMatch(
      /^(?:same|moved): knew why the bridge had been closed$/,
    )
  })

  it('goes over several paragraphs', () => {
    expect(found(page('New.', first, second, third), 'so long. Our reporter')).toBe('same: so long.: Our reporter')
    expect(found(page(first, second, 'Between.', third), 'so long. Our reporter')).toBe(
      'changed: so long.: Our reporter',
    )
  })

  it('needs a quote that is there once, or a context that decides', () => {
    const one = read(page('Read more here.', 'Or read more there.', 'Read more here.'))
    const anchor = (exact: string, prefix = '', suffix = '') => anchorOf(one, { exact, prefix, suffix })
    expect(anchor('read less')).toBe('not_found')
    expect(anchor('Read more')).toBe('ambiguous')
    expect(anchor('ead more', 'Or r')).toMatchObject({ exact: 'ead more', start: 20 })
    expect(anchor('more', '', ' there')).toMatchObject({ exact: 'more', start: 24 })
    expect(anchor('')).toBe('not_found')
    // White space of any kind, and signs of a pattern.
    expect(anchorOf(read(page('a  (b)\n[c]')), { exact: ' (b) [c] ', prefix: '', suffix: '' })).toMatchObject({
      start: 2,
    })
    const [block] = one.blocks.filter(({ isEmpty }) => isEmpty).slice(2)
    expect(anchorOf(one, { exact: 'Read more', prefix: '', suffix: '' }, block && placeOf(block).path)).toMatchObject({
      start: 36,
    })
  })

  it('of a letter in a long page takes no longer than reading it', () => {
    const one = read(page(...Array.from({ length: 20_000 }, () => 'a e i o u a e i o u')))
    const began = process.threadCpuUsage()
    expect(anchorOf(one, { exact: 'e', prefix: 'x', suffix: '' }, [0])).toBe('not_found')
    expect(anchorOf(one, { exact: 'e', prefix: '', suffix: '' })).toBe('ambiguous')
    expect(process.threadCpuUsage(began).user).toBeLessThan(10_000_000)
  })

  it('on a part of a picture: is found with the file, and changed with another one', () => {
    const figure = (file: string, text = 'The bridge in winter') =>
      `<figure><img src="${file}"><figcaption>${text}</figcaption></figure>`
    const one = read(`<main><p>${first}</p><p>${second}</p>${figure('a.jpg')}</main>`)
    const picture = one.blocks.find(({ kind }) => kind === 'figure')
    const region = { x: 0.1, y: 0.2, width: 0.3, height: 0.4 }
    const anchor = picture && regionOf(one, placeOf(picture), 0, region)
    expect(anchor).toMatchObject({ label: 'a.jpg', region })
    const state = (after: string) => anchor && new AnchorFinder(one, read(after)).find(anchor).state
    expect(state(`<main><p>${first}</p><p>New.</p><p>${second}</p>${figure('a.jpg')}</main>`)).toBe('same')
    expect(state(`<main>${figure('a.jpg')}<p>${first}</p><p>${second}</p></main>`)).toBe('moved')
    expect(state(`<main><p>${first}</p><p>${second}</p>${figure('b.jpg')}</main>`)).toBe('changed')
    expect(state(`<main><p>${first}</p><p>${second}</p></main>`)).toBe('lost')
    expect(picture && regionOf(one, placeOf(picture), 1, region)).toBeNull()
  })
})

describe('an element of a page', () => {
  const page = readPage(
    '<h1>Quays</h1><p>The <b>old</b> quay.</p><div>Loose <i>text</i> <img src="a.png"> here<p>Inner</p><img src="b.png"><img src="c.png"></div>',
    () => null,
  )
  const region = { x: 0, y: 0, width: 1, height: 1 }
  it('is commented on as its picture, otherwise as the innermost block around it', () => {
    const at = (...path: number[]) => {
      const found = elementAnchorOf(page, path, region)
      return found && [found.label, found.picture]
    }
    expect(at(1, 1, 0)).toEqual(['The old quay.', null])
    expect(at(1, 2, 0)).toEqual(['Loose text here', null])
    expect(at(1, 2, 1)).toEqual(['a.png', 0])
    expect(at(1, 2, 2)).toEqual(['Inner', null])
    expect(at(1, 2, 4)).toEqual(['c.png', 1])
    expect(at(1)).toBeNull()
  })
  it('is where a quote is looked for first, also from inside of its block', () => {
    const twice = readPage('<p>The <b>quay</b> is old.</p><p>The <b>quay</b> is old.</p>', () => null)
    const quote = { exact: 'quay is', prefix: '', suffix: '' }
    expect(anchorOf(twice, quote)).toBe('ambiguous')
    expect(anchorOf(twice, quote, [1, 1, 0])).toMatchObject({ start: 21 })
  })
})

describe('a part of a page', () => {
  const page = read('<main>Loose <b>words</b><section><h2>Clock</h2><p>Noon</p></section><p>Text</p><hr></main>')
  const blocks = (part: ReturnType<typeof partAround>) => part?.blocks.map(({ path }) => path.join())

  it('is the block around what was clicked, and never all of its container', () => {
    expect(partAround(page, [1, 0, 1, 1])).toMatchObject({ label: 'Noon' })
    expect(blocks(partAround(page, [1, 0, 1, 1]))).toEqual(['1,0,1,1'])
    expect(partAround(page, [1, 0])).toMatchObject({ label: 'Loose words', blocks: [{ run: { from: 0, to: 1 } }] })
    expect(partAround(page, [0])).toBeNull()
  })
  it('is all that is in a container that changed', () => {
    expect(blocks(partWithin(page, [{ path: [1, 0, 1], run: null }]))).toEqual(['1,0,1,0', '1,0,1,1'])
    expect(blocks(partWithin(page, [{ path: [1, 0, 2], run: null }]))).toEqual(['1,0,2'])
    expect(partWithin(page, [{ path: [1, 9], run: null }])).toBeNull()
  })
})
