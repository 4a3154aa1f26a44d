import type { Bridge } from '../../../src/ipc/calls.ts'
import { createCommands } from '../../../src/renderer/commands/commands.ts'
import type { Services } from '../../../src/renderer/domain/services.ts'
import { createNavigation } from '../../../src/renderer/navigation/navigation.ts'
import { createToasts } from '../../../src/renderer/ui/toasts.tsx'
import { createTexts } from '../../../src/texts/catalogue.ts'

/** The storage of a page, in memory and empty. */
export function emptyStorage(): Storage {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
    clear: () => kept.clear(),
    key: (at: number) => [...kept.keys()][at] ?? null,
    get length() {
      return kept.size
    },
  }
  Object.defineProperty(globalThis, 'localStorage', { value: storage, configurable: true })
  return storage
}

/** The services of the window for its features, with a fake bridge and an empty storage. */
export function createServices(bridge: Bridge): Services {
  emptyStorage()
  return {
    bridge,
    texts: createTexts('en'),
    navigation: createNavigation(),
    commands: createCommands(),
    toasts: createToasts(),
  }
}
