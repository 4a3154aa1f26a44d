import type { CommandId } from '@galley/library/records'

import type { Command } from '../../commands/commands.ts'
import type { Services } from '../../domain/services.ts'
import { settingsSections } from './settings-pane.tsx'

/** One command per settings section, and aliases people search for. */
export function settingsCommands({ navigation }: Services, onCheck: () => void): readonly Command[] {
  const show = (section: string): void => navigation.getState().go({ screen: 'settings', section })
  return [
    ...settingsSections.map((section): Command => ({
      id: `settings.${section}` satisfies CommandId,
      group: 'settings',
      title: (t) => t('settings:command', { section: t(`settings:sections.${section}`) }),
      run: () => show(section),
    })),
    ...(['emulator', 'conformance'] as const).map((name): Command => ({
      id: `site.${name}` satisfies CommandId,
      group: 'sites',
      title: (t) => t(`developer:commands.${name}`),
      run: () => show('developer'),
    })),
    {
      id: 'help.updates',
      group: 'general',
      title: (t) => t('updates:check'),
      run: () => {
        show('start')
        onCheck()
      },
    },
    { id: 'library.prune', group: 'delivery', title: (t) => t('health:commands.prune'), run: () => show('library') },
    { id: 'library.erase', group: 'delivery', title: (t) => t('health:commands.erase'), run: () => show('library') },
    { id: 'library.move', group: 'delivery', title: (t) => t('health:commands.move'), run: () => show('library') },
  ]
}
