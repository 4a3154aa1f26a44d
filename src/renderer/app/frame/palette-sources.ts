import type { CommandId } from '@galley/library/records'
import type { LucideIcon } from 'lucide-react'
import { FileText, Globe, Type, Webhook } from 'lucide-react'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'

import type { FoundObject } from '../../../ipc/materials.ts'
import { subjects } from '../../../texts/catalogue.ts'
import { useBridge } from '../../bridge/use-bridge.ts'
import { useCommands } from '../../commands/commands.ts'
import type { Translate } from '../../commands/commands.ts'
import { useShownKeys } from '../../commands/shown-keys.ts'
import { titleOf } from '../../domain/material-title.ts'
import type { PaletteGroup, PaletteItem } from '../../features/palette/palette-item.ts'
import type { PaletteSources } from '../../features/palette/palette.tsx'
import { useFormats } from '../../i18n/formats.ts'
import type { Formats } from '../../i18n/formats.ts'
import { currentSite, useNavigation } from '../../navigation/navigation.ts'
import type { Navigation } from '../../navigation/navigation.ts'

const maxResults = 24
/** Commands that make no sense inside the palette. */
const hidden: ReadonlySet<string> = new Set([
  'palette.open',
  'find.everywhere',
  'find.here',
  'pane.next',
  'pane.previous',
])

/** Palette content: commands with their shortcuts, and library items that match the query. */
export function usePaletteSources(): PaletteSources {
  const { t, i18n } = useTranslation([...subjects])
  const formats = useFormats()
  const bridge = useBridge()
  const { go, setSite } = useNavigation()
  const { all, run } = useCommands()
  const keysOf = useShownKeys()
  const site = useNavigation(currentSite)
  const find = useCallback(
    async (text: string): Promise<readonly PaletteGroup[]> => {
      const found = await bridge.call('findObjects', { site, text, limit: maxResults })
      return grouped(found, t, formats, { go, setSite })
    },
    [bridge, site, t, formats, go, setSite],
  )
  const synonymsOf = (id: CommandId): string => {
    const [group = '', name = ''] = id.split('.')
    const key = `app:synonyms.${group}.${name}`
    return i18n.exists(key) ? i18n.t(key as 'app:synonyms.health.restore') : ''
  }
  return {
    commands: all
      .filter((command) => command.isAvailable?.() !== false && !hidden.has(command.id))
      .map((command) => ({
        key: `command:${command.id}`,
        title: command.title(t),
        detail: t(`app:groups.${command.group}`),
        synonyms: synonymsOf(command.id),
        ...(command.icon === undefined ? {} : { icon: command.icon }),
        keys: keysOf(command.id),
        run: () => run(command.id),
      })),
    find,
  }
}

const icons: Readonly<Record<FoundObject['kind'], LucideIcon>> = {
  material: FileText,
  site: Globe,
  snapshot: Type,
  callback: Webhook,
}

function grouped(
  found: readonly FoundObject[],
  t: Translate,
  formats: Formats,
  navigation: Pick<Navigation, 'go' | 'setSite'>,
) {
  const groups: readonly (readonly [FoundObject['kind'], string])[] = [
    ['material', t('app:sections.materials')],
    ['callback', t('callbacks:title')],
    ['snapshot', t('app:sections.fonts')],
    ['site', t('sites:title')],
  ]
  return groups.map(([kind, title]) => ({
    title,
    items: found.filter((object) => object.kind === kind).map((object) => itemOf(object, t, formats, navigation)),
  }))
}

function itemOf(
  object: FoundObject,
  t: Translate,
  formats: Formats,
  navigation: Pick<Navigation, 'go' | 'setSite'>,
): PaletteItem {
  const { go, setSite } = navigation
  const icon = icons[object.kind]
  switch (object.kind) {
    case 'material': {
      const { site, materialId } = object
      return {
        key: `material:${site}:${materialId}`,
        title: titleOf(object),
        detail: materialId,
        icon,
        run: () => go({ screen: 'material', materialId, versionId: null }, site),
      }
    }
    case 'site':
      return {
        key: `site:${object.site}`,
        title: object.name,
        detail: t(`sites:environmentNames.${object.environment}`),
        icon,
        run: () => setSite(object.site),
      }
    case 'snapshot': {
      const { site, snapshotId, receivedAt } = object
      return {
        key: `snapshot:${site}:${snapshotId}`,
        title: snapshotId,
        detail: formats.dayAndMinute(receivedAt),
        icon,
        run: () => go({ screen: 'fonts', snapshotId }, site),
      }
    }
    case 'callback': {
      const { site, id, receivedAt } = object
      return {
        key: `callback:${id}`,
        title: id,
        detail: formats.dayAndMinute(receivedAt),
        icon,
        run: () => go({ screen: 'delivery', callbackId: id }, site),
      }
    }
  }
}
