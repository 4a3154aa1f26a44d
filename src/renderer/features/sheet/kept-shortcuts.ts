import type { ChosenShortcuts } from '../../../contract/domain/shortcuts.ts'

/** Chosen keys as the settings keep them: one text for a command, empty where its keys were taken away. */
export const keptShortcuts = (chosen: ChosenShortcuts): Record<string, string> =>
  Object.fromEntries(Object.entries(chosen).map(([id, keys]) => [id, keys[0] ?? '']))
