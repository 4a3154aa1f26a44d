/** How soon a list appears after a click, and how soon it responds to a search, a filter and a sort. */

import { materialCount } from '../big-library.ts'
import { atMost, type Figure } from '../figure.ts'
import { median, onALine } from '../statistics.ts'
import { watched, type OpenWindow } from './window.ts'

/** In the order of the clicks; each list is opened from the one before it. */
const sections = ['Review', 'Delivery', 'Fonts', 'Publish', 'Settings', 'Materials'] as const

/** An action that is timed repeatedly; `undo` is not timed. */
interface Action {
  readonly name: string
  readonly limitMs: number
  /** Milliseconds from the input to the frame with its result. */
  readonly run: (round: number) => Promise<number>
  readonly undo?: () => Promise<unknown>
}

export async function measureLists(window: OpenWindow, isQuick: boolean): Promise<readonly Figure[]> {
  const runs = isQuick ? 3 : 9
  const figures: Figure[] = []
  figures.push(...(await timed([...sections.map((section) => opening(window, section)), timeline(window)], runs)))
  for (const list of ['Callbacks', 'Materials'] as const) {
    await openSection(window, sectionOf(list))
    figures.push(...(await timed(list === 'Materials' ? materialActions(window) : callbackActions(window), runs)))
  }
  // Last: it has pages compared in the background.
  return [...figures, ...(await timed([inbox(window)], runs))]
}

async function timed(actions: readonly Action[], runs: number): Promise<readonly Figure[]> {
  const times = actions.map((): number[] => [])
  for (let round = 0; round < runs; round += 1) {
    for (const [at, { run, undo }] of actions.entries()) {
      times[at]?.push(await run(round))
      await undo?.()
    }
  }
  return actions.map(({ name, limitMs }, at) => {
    const each = times[at] ?? []
    console.log(`  ${`${name}, ms:`.padEnd(36)} ${onALine(each)}`)
    return atMost(`interface: ${name}`, median(each), limitMs, ' ms')
  })
}

/** The section that shows a list. */
export const sectionOf = (list: string): string => (list === 'Callbacks' ? 'Delivery' : list)

export const openSection = ({ page }: OpenWindow, section: string): Promise<number> => {
  const button = page.getByRole('navigation', { name: 'Sections' }).getByRole('button', { name: section })
  return watched(page, `bench.after('click', () => bench.isShown('${section}'))`, () => button.click())
}

const opening = (window: OpenWindow, section: string): Action => ({
  name: `${section} shown after a click`,
  limitMs: 150,
  run: () => openSection(window, section),
})

const timeline = (window: OpenWindow): Action => ({
  name: 'timeline of a material shown after a key',
  limitMs: 150,
  async run(round) {
    const { page } = window
    await page.locator('[data-row]').nth(round).click()
    const isShown = `document.querySelector('[data-pane="list"] [role=grid][aria-label="Versions"]') && bench.isFilled('Versions')`
    return watched(page, `bench.after('keydown', () => ${isShown})`, () => page.keyboard.press('Enter'))
  },
  // Its section would return to the last place, which is this timeline.
  async undo() {
    await window.page.locator('[data-pane="list"]').getByRole('button', { name: 'Materials' }).click()
    await window.inPage(`bench.when(() => bench.isShown('Materials'))`)
  },
})

/** Every material of the library waits: nobody has approved one. */
const inbox = ({ inPage }: OpenWindow): Action => ({
  name: 'inbox of 10,000 pages read',
  limitMs: 100,
  run: () => inPage<number>(readInbox),
})

const readInbox = `(async () => {
  const from = performance.now()
  const states = ['new', 'changed', 'changes_requested']
  await window.galley.call('reviewQueue', { site: null, states, order: 'oldest', offset: 0, limit: 100 })
  return performance.now() - from
})()`

/** Types into the search field of a list at once, until the list changes. */
const search = ({ page }: OpenWindow, list: string, text: string): Promise<number> =>
  watched(page, `bench.afterChange('input', '${list}')`, () =>
    page.locator('[data-pane="list"] [data-find]').fill(text),
  )

/** An item of one of the menus above a list. */
async function filter({ page }: OpenWindow, list: string, menu: string, line: RegExp): Promise<number> {
  const pane = page.locator('[data-pane="list"]')
  await pane.getByRole('button', { name: menu, exact: true }).first().click()
  const wanted = page.getByRole('menuitemcheckbox', { name: line }).first()
  await wanted.waitFor()
  return watched(page, `bench.afterChange('click', '${list}')`, async () => {
    await wanted.click()
    await page.keyboard.press('Escape')
  })
}

const unfilter = ({ page }: OpenWindow, list: string): Promise<number> =>
  watched(page, `bench.afterChange('click', '${list}')`, () =>
    page.locator('[data-pane="list"]').getByRole('button', { name: 'Clear filters' }).click(),
  )

const searching = (window: OpenWindow, list: string, textOf: (round: number) => string): Action => ({
  name: `${list} searched`,
  limitMs: 100,
  run: (round) => search(window, list, textOf(round)),
  undo: () => search(window, list, ''),
})

const filtering = (window: OpenWindow, list: string, menu: string, line: RegExp): Action => ({
  name: `${list} filtered`,
  limitMs: 100,
  run: () => filter(window, list, menu, line),
  undo: () => unfilter(window, list),
})

const sorting = (window: OpenWindow, list: string, column: string): Action => ({
  name: `${list} sorted`,
  limitMs: 100,
  run: () =>
    watched(window.page, `bench.afterChange('click', '${list}')`, () =>
      window.page.getByRole('columnheader', { name: column }).getByRole('button').first().click(),
    ),
})

const materialActions = (window: OpenWindow): readonly Action[] => [
  searching(window, 'Materials', (round) => `№ ${(round + 1) * Math.floor(materialCount / 20)}`),
  filtering(window, 'Materials', 'Tags', /./),
  sorting(window, 'Materials', 'Title'),
]

const callbackActions = (window: OpenWindow): readonly Action[] => [
  searching(window, 'Callbacks', (round) => `v-${(round + 1) * 77}-`),
  filtering(window, 'Callbacks', 'Outcome', /Stored/),
]
