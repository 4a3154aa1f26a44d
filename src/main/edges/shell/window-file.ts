import { readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'

export interface Bounds {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface WindowState {
  /** Of the window when it is not maximised; null before the first close. */
  readonly bounds: Bounds | null
  readonly isMaximised: boolean
  /** Whether it was told once that closing the window leaves the listener on. */
  readonly toldOfTray: boolean
}

/**
 * What has to be known before the library is open: where the window stood. A small file
 * of its own; one that is damaged is as good as none.
 */
export function openWindowFile(path: string, log: (line: string) => void) {
  let state = readState(path)
  let writing = Promise.resolve()
  return {
    state: () => state,
    change(change: Partial<WindowState>): void {
      state = { ...state, ...change }
      const text = JSON.stringify(state, null, 2)
      // One after the other and by a rename, so that the file is always whole.
      writing = writing
        .then(() => writeFile(`${path}.new`, text))
        .then(() => rename(`${path}.new`, path))
        .catch(() => log('the state of the window could not be kept'))
    },
    /** Resolves when everything that was changed is in the file. */
    settled: () => writing,
  }
}

export type WindowFile = ReturnType<typeof openWindowFile>

function readState(path: string): WindowState {
  const { bounds, isMaximised, toldOfTray } = readJson(path)
  return {
    bounds: isBounds(bounds) ? bounds : null,
    isMaximised: isMaximised === true,
    toldOfTray: toldOfTray === true,
  }
}

// By hand: zod would be loaded before the window opens.
const isBounds = (value: unknown): value is Bounds =>
  typeof value === 'object' &&
  value !== null &&
  (['x', 'y', 'width', 'height'] as const).every((name) => Number.isFinite((value as Partial<Bounds>)[name]))

function readJson(path: string): Partial<Record<keyof WindowState, unknown>> {
  try {
    const read: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return typeof read === 'object' && read !== null ? read : {}
  } catch {
    return {}
  }
}
