import { readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'

export interface Bounds {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface WindowState {
  /** The bounds of the window when not maximised; null before the first close. */
  readonly bounds: Bounds | null
  readonly isMaximised: boolean
  /** Whether the notice was shown that closing the window keeps the listener running. */
  readonly toldOfTray: boolean
  /** The sites that were shown last, newest first. */
  readonly recentSites: readonly string[]
}

/** The state needed before the library is open, such as the window bounds, in a small file. A damaged file is ignored. */
export function openWindowFile(path: string, log: (line: string) => void) {
  let state = readState(path)
  let writing = Promise.resolve()
  const listeners = new Set<() => void>()
  return {
    state: () => state,
    change(change: Partial<WindowState>): void {
      state = { ...state, ...change }
      for (const listener of listeners) listener()
      const text = JSON.stringify(state, null, 2)
      // Writes in sequence and with a rename, so that the file is always complete.
      writing = writing
        .then(() => writeFile(`${path}.new`, text))
        .then(() => rename(`${path}.new`, path))
        .catch(() => log('the state of the window could not be saved'))
    },
    /** Calls back after every change until the returned function is called. */
    onChange(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Resolves when all changes are in the file. */
    settled: () => writing,
  }
}

export type WindowFile = ReturnType<typeof openWindowFile>

function readState(path: string): WindowState {
  const { bounds, isMaximised, toldOfTray, recentSites } = readJson(path)
  return {
    bounds: isBounds(bounds) ? bounds : null,
    isMaximised: isMaximised === true,
    toldOfTray: toldOfTray === true,
    recentSites: Array.isArray(recentSites) ? recentSites.filter((site) => typeof site === 'string') : [],
  }
}

// Checked by hand: zod would have to be loaded before the window opens.
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
