import type { Provide } from '../../context/provided.ts'
import {
  createExportContents,
  createExports,
  provideExportContents,
  provideExportRows,
} from '../../features/exports/store.ts'
import { followOn, siteNow } from '../../navigation/navigation.ts'
import { whileShown } from '../../navigation/while-shown.ts'
import type { Services } from '../state/services.ts'
import type { ExportStart } from './export-start.ts'

/** The export history of a site, the content of each export, and the command that starts one. */
export function createExportStores(services: Services, { withWhatIsShown }: ExportStart): readonly Provide[] {
  const { navigation, commands } = services
  const bridge = whileShown(services.bridge, navigation, ['exports'])
  const { exports, exportRows } = createExports(bridge)
  followOn(navigation, ['exports'], (site) => exports.getState().show(site))
  commands.getState().register([
    {
      id: 'export.new',
      group: 'exports',
      title: (t) => t('exports:create'),
      isAvailable: () => siteNow(navigation.getState()) !== null,
      run: withWhatIsShown,
    },
  ])
  return [provideExportRows(exportRows), provideExportContents(createExportContents(bridge))]
}
