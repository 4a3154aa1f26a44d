import { z } from 'zod'

import type { Index } from '../db/library-index.ts'
import { defaultSettings } from '../views/settings.ts'
import { createAppSettings } from './app-settings.ts'
import { exportsMadeHereName } from './exports-made-here.ts'

/** The name of the setting with this computer's confirmations. */
const name = 'confirmed-sites'

/** The name of the setting with the sites that the library had when it became a member of a team. */
const beforeTeamName = 'sites-before-team'

const storedSchema = z.record(
  z.string(),
  z.object({
    /** A fingerprint of the confirmed values. */
    fingerprint: z.string(),
    /** Other origins than that of the base URL on which a person allowed editors to open. */
    editorOrigins: z.array(z.string()),
    /** The confirmed values as text, by field. */
    values: z.record(z.string(), z.string().nullable()),
  }),
)
export type Confirmation = z.infer<typeof storedSchema>[string]

type Settings = Index['settings']

const textOf = (confirmed: ReadonlyMap<string, Confirmation>): string => JSON.stringify(Object.fromEntries(confirmed))

/** The confirmations by site id. */
export const confirmedSites = (settings: Settings) => ({
  /** False in a new library, and after `local.db` was lost. */
  exist: (): boolean => settings.get(name) !== null,
  /** Has no effect if another process was first. */
  begin: (confirmed: ReadonlyMap<string, Confirmation>): void => void settings.getOrPut(name, textOf(confirmed)),
  /** Unreadable text confirms nothing. */
  read(): Map<string, Confirmation> {
    try {
      const parsed = storedSchema.safeParse(JSON.parse(settings.get(name) ?? '{}'))
      return new Map(parsed.success ? Object.entries(parsed.data) : [])
    } catch {
      return new Map()
    }
  },
  /** The IDs of the sites that were here at the first opening as a member of a team. */
  beforeTeam(present: readonly { readonly id: string }[]): ReadonlySet<string> {
    const kept = settings.getOrPut(beforeTeamName, JSON.stringify(present.map(({ id }) => id)))
    return new Set(z.array(z.string()).parse(JSON.parse(kept)))
  },
  write: (confirmed: ReadonlyMap<string, Confirmation>): void => settings.put(name, textOf(confirmed)),
})

/**
 * For a library from another computer: removes confirmations, those of webhooks too, the backup folder and the listener address, because
 * they were not chosen on this one.
 */
export function forgetLocalChoices(settings: Settings): void {
  confirmedSites(settings).write(new Map())
  settings.forget(beforeTeamName)
  settings.forget(exportsMadeHereName)
  for (const { name: webhook } of settings.startingWith('webhook/')) settings.forget(webhook)
  // This computer writes to the log of a team under a name of its own.
  settings.forget('team-writer')
  for (const { name: target } of settings.startingWith('confirmed-target/')) settings.forget(target)
  const appSettings = createAppSettings(settings)
  const listener = { ...appSettings.read().listener, host: defaultSettings.listener.host }
  appSettings.change({ listener, backups: defaultSettings.backups })
}
