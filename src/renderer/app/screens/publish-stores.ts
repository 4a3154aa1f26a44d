import type { CommandId } from '../../../contract/domain/shortcuts.ts'
import type { Command } from '../../commands/commands.ts'
import type { Provide } from '../../context/provided.ts'
import {
  createExportContents,
  createExports,
  provideExportContents,
  provideExportRows,
} from '../../features/exports/store.ts'
import { followOn, siteNow } from '../../navigation/navigation.ts'
import { publishTabs } from '../../navigation/view.ts'
import { whileShown } from '../../navigation/while-shown.ts'
import type { Services } from '../state/services.ts'
import type { ExportStart } from './export-start.ts'

/** What the tabs of the publish section read, and the commands that show a tab or start an export. */
export function createPublishStores(services: Services, { withWhatIsShown }: ExportStart): readonly Provide[] {
  const { navigation, commands } = services
  const bridge = whileShown(services.bridge, navigation, ['publish'])
  const { exports, exportRows } = createExports(bridge)
  followOn(navigation, ['publish'], (site) => exports.getState().show(site))
  commands.getState().register([
    ...publishTabs.map((tab): Command => ({
      id: `publish.${tab}` satisfies CommandId,
      group: 'publish',
      title: (t) => t('publish:command', { tab: t(`publish:tabs.${tab}`) }),
      run: () => navigation.getState().goToTab(tab),
    })),
    {
      id: 'export.new',
      group: 'publish',
      title: (t) => t('exports:create'),
      isAvailable: () => siteNow(navigation.getState()) !== null,
      run: withWhatIsShown,
    },
  ])
  return [provideExportRows(exportRows), provideExportContents(createExportContents(bridge))]
}
