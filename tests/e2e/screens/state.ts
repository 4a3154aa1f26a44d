import type { ElectronApplication, Page } from 'playwright'

import type { Disturbed } from '../support/calls.ts'

/** What a state may need in addition to the window's page. */
export interface Surroundings {
  readonly app: ElectronApplication
  readonly library: string
}

/** The window that shows the state, if it is not the main one: its page, and a picture of all of it. */
export interface ShownWindow {
  readonly page: Page
  picture(): Promise<Buffer>
}

/** One state of a screen that is drawn in both themes and checked by axe. */
export interface ScreenState {
  /** The picture's name, as `materials-empty`; the theme is added. */
  readonly name: string
  /** Opens the state from anywhere in the window, on the library of the Harbour Weekly. */
  show(page: Page, surroundings: Surroundings): Promise<ShownWindow | void>
  /** Removes what would disturb the next state, such as an open dialog. */
  leave?(page: Page, surroundings: Surroundings): Promise<void>
  /** A library without a site, in place of the Harbour Weekly's. */
  readonly isEmptyLibrary?: boolean
  /** Calls of the window that fail or wait while this is shown. */
  readonly calls?: Disturbed
  /** Shown without any network. */
  readonly isOffline?: boolean
  /** Width and height of the window; 1280 × 800 unless given. */
  readonly size?: readonly [number, number]
}
