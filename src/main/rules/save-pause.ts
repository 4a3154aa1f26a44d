import type { SavePause } from '../../contract/ipc/rules.ts'
import type { Index } from '../db/library-index.ts'

const name = 'save-pause'

/** Whether saves of all sites are refused by hand, and why. */
export function readSavePause(settings: Index['settings']): SavePause | null {
  const text = settings.get(name)
  return text === null || text === '' ? null : (JSON.parse(text) as SavePause)
}

/** null takes it back. */
export const writeSavePause = (settings: Index['settings'], pause: SavePause | null): void =>
  settings.put(name, pause === null ? '' : JSON.stringify(pause))
