import { z } from 'zod'

import { defaultSettings } from '../../../contract/ipc/settings.ts'
import type { Index } from '../db/library-index.ts'
import { createAppSettings } from './app-settings.ts'

/** Under this name the settings of a library keep, on this machine, what a person has confirmed. */
const name = 'confirmed-sites'

const storedSchema = z.record(
  z.string(),
  z.object({
    /** Of the values that were confirmed. */
    fingerprint: z.string(),
    /** Origins beside that of the base URL on which a person let editors open. */
    editorOrigins: z.array(z.string()),
  }),
)
export type Confirmation = z.infer<typeof storedSchema>[string]

type Settings = Index['settings']

const textOf = (confirmed: ReadonlyMap<string, Confirmation>): string => JSON.stringify(Object.fromEntries(confirmed))

/** The confirmations by site ID. */
export const confirmedSites = (settings: Settings) => ({
  /** False in a library from before there were confirmations. */
  exist: (): boolean => settings.get(name) !== null,
  /** Has no effect where another process was first. */
  begin: (confirmed: ReadonlyMap<string, Confirmation>): void => void settings.getOrPut(name, textOf(confirmed)),
  /** A text that cannot be read confirms nothing. */
  read(): Map<string, Confirmation> {
    try {
      const parsed = storedSchema.safeParse(JSON.parse(settings.get(name) ?? '{}'))
      return new Map(parsed.success ? Object.entries(parsed.data) : [])
    } catch {
      return new Map()
    }
  },
  write: (confirmed: ReadonlyMap<string, Confirmation>): void => settings.put(name, textOf(confirmed)),
})

/**
 * For a library that comes from elsewhere: none of its sites is confirmed on this machine, and nobody here has chosen the
 * folder of its backups or the address of its listener.
 */
export function forgetLocalChoices(settings: Settings): void {
  confirmedSites(settings).write(new Map())
  for (const { name: target } of settings.startingWith('confirmed-target/')) settings.forget(target)
  const appSettings = createAppSettings(settings)
  const listener = { ...appSettings.read().listener, host: defaultSettings.listener.host }
  appSettings.change({ listener, backups: defaultSettings.backups })
}
