import type { Page } from 'playwright'

import type { Calls } from '../../../src/ipc/calls.ts'
import { chooseInSwitcher, goTo, inGrid } from '../support/app.ts'
import type { ScreenState } from './state.ts'

/** The list of a section, with the texts of its states. */
interface List {
  readonly section: 'Materials' | 'Callbacks' | 'Fonts'
  /** The call that reads its rows. */
  readonly query: keyof Calls
  /** The minimum number of its rows in the library of the Harbour Weekly. */
  readonly rows: number
  /** The text of an empty list. */
  readonly isEmpty: string
  /** The text of a list that could not be read. */
  readonly isUnread: string
}

/** The section that shows this list. */
const sectionOf = (list: string): string => (list === 'Callbacks' ? 'Delivery' : list)

/** The states of every list without rows: empty, loading, and failed. */
export function listStates({ section, query, rows, isEmpty, isUnread }: List): readonly ScreenState[] {
  const name = (state: string): string => `${section.toLowerCase()}-${state}`
  /** Switches to the site without callbacks. */
  const toEmptySite = async (page: Page): Promise<void> => {
    await goTo(page, sectionOf(section))
    await chooseInSwitcher(page, /City Letters/)
  }
  const leave = async (page: Page): Promise<void> => {
    await chooseInSwitcher(page, /Harbour Weekly/)
    await inGrid(page, section)
      .nth(rows - 1)
      .waitFor()
  }
  return [
    {
      name: name('empty'),
      async show(page) {
        await toEmptySite(page)
        await page.getByText(isEmpty).waitFor()
      },
      leave,
    },
    {
      name: name('loading'),
      calls: { [query]: 'waits' },
      async show(page) {
        await toEmptySite(page)
        await page.getByRole('region', { name: section }).getByRole('status', { name: 'Loading' }).waitFor()
      },
      async leave(page) {
        await page.getByText(isEmpty).waitFor()
        await leave(page)
      },
    },
    {
      name: name('failed'),
      calls: { [query]: 'fails' },
      async show(page) {
        await toEmptySite(page)
        await page.getByText(isUnread).waitFor()
      },
      leave,
    },
  ]
}

/** The state of a list in which a search finds nothing. */
export function nothingFound(section: 'Materials' | 'Callbacks', words: string): ScreenState {
  const search = (page: Page) => page.getByRole('textbox', { name: `Search ${section.toLowerCase()}` })
  return {
    name: `${section.toLowerCase()}-no-match`,
    async show(page) {
      await goTo(page, sectionOf(section))
      await search(page).fill('zeppelin')
      await page.getByText(words).waitFor()
    },
    leave: (page) => search(page).fill(''),
  }
}
