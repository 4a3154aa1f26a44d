import type { Provide } from '../../context/provided.ts'
import type { Services } from '../../domain/services.ts'
import { currentSite, followOn } from '../../navigation/navigation.ts'
import { whileShown } from '../../navigation/while-shown.ts'
import { createExportContents, createExports, provideExportContents, provideExportRows } from './store.ts'

/** The exports of a site, and the command that starts one. `start` knows what the window shows. */
export function createExportStores({ bridge, navigation, commands }: Services, start: () => void): readonly Provide[] {
  const seen = whileShown(bridge, navigation, ['publish'])
  const { exports, exportRows } = createExports(seen)
  followOn(navigation, ['publish'], (site) => exports.getState().show(site))
  commands.getState().register([
    {
      id: 'export.new',
      group: 'publish',
      title: (t) => t('exports:create'),
      isAvailable: () => currentSite(navigation.getState()) !== null,
      run: start,
    },
  ])
  return [provideExportRows(exportRows), provideExportContents(createExportContents(seen))]
}
