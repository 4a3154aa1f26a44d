import type { Index } from '../db/library-index.ts'
import type { AppSettings } from '../views/settings.ts'
import { appSettings, defaultSettings } from '../views/settings.ts'

const name = 'app-settings'

/** The settings of the app for a library, stored as JSON in its index. */
export function createAppSettings(settings: Index['settings']) {
  const listeners = new Set<(now: AppSettings) => void>()
  const read = (): AppSettings => readSettings(settings.get(name))
  return {
    read,
    /** Changes some settings. The schema has validated the input. */
    change(over: Partial<AppSettings>): AppSettings {
      const next = { ...read(), ...over }
      settings.put(name, JSON.stringify(next))
      for (const listener of listeners) listener(next)
      return next
    },
    onChange(listener: (now: AppSettings) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Reads each member separately, so that an invalid one does not affect the others. */
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
