import type { AppSettings } from '../../../contract/ipc/settings.ts'
import { appSettings, defaultSettings } from '../../../contract/ipc/settings.ts'
import type { Index } from '../db/library-index.ts'

const name = 'app-settings'

/** The settings of the app on a library, kept as JSON in its index. */
export function createAppSettings(settings: Index['settings']) {
  const listeners = new Set<(now: AppSettings) => void>()
  const read = (): AppSettings => readSettings(settings.get(name))
  return {
    read,
    /** Changes some of them; the input has been checked by the schema. */
    change(over: Partial<AppSettings>): AppSettings {
      const next = { ...read(), ...over }
      settings.put(name, JSON.stringify(next))
      for (const tell of listeners) tell(next)
      return next
    },
    onChange(tell: (now: AppSettings) => void): () => void {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
  }
}

/** Member by member, so that one that cannot be used any more costs none of the others. */
function readSettings(text: string | null): AppSettings {
  const stored = text === null ? {} : (JSON.parse(text) as Record<string, unknown>)
  const usable = Object.entries(appSettings.shape).flatMap(([key, schema]) => {
    const parsed = schema.safeParse(stored[key])
    return parsed.success ? [[key, parsed.data] as const] : []
  })
  // Each member has passed its own schema.
  return { ...defaultSettings, ...(Object.fromEntries(usable) as Partial<AppSettings>) }
}

export type AppSettingsStore = ReturnType<typeof createAppSettings>
