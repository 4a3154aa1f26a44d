import { statusFilters } from '@galley/library/records'
import type { CommandId, SearchFound } from '@galley/library/records'
import type { LucideIcon } from 'lucide-react'
import {
  FileClock,
  FileText,
  Globe,
  ListFilter,
  MessageSquare,
  Settings,
  Signature,
  Type,
  User,
  Webhook,
} from 'lucide-react'
import { useCallback, useContext, useMemo } from 'react'
import { useTranslation } from 'react-i18next'

import type { FoundObject } from '../../../ipc/materials.ts'
import { subjects } from '../../../texts/catalogue.ts'
import { useBridge } from '../../bridge/use-bridge.ts'
import { useCommands } from '../../commands/commands.ts'
import type { Translate } from '../../commands/commands.ts'
import { useShownKeys } from '../../commands/shown-keys.ts'
import { useComments } from '../../domain/comments.ts'
import { titleOf } from '../../domain/material-title.ts'
import { everything as everyCallback } from '../../features/callbacks/question.ts'
import { useCallbackList } from '../../features/callbacks/store.ts'
import { everything as everyMaterial } from '../../features/materials/question.ts'
import { useMaterials } from '../../features/materials/store.ts'
import { everyPage, useSitePages } from '../../features/pages/store.ts'
import type { PaletteGroup, PaletteItem } from '../../features/palette/palette-item.ts'
import type { PaletteFound, PaletteSources } from '../../features/palette/palette.tsx'
import { useVersions } from '../../features/versions/store.ts'
import { useFormats } from '../../i18n/formats.ts'
import type { Formats } from '../../i18n/formats.ts'
import { currentSite, useNavigation } from '../../navigation/navigation.ts'
import { initialTab, initialViewOf } from '../../navigation/view.ts'
import { ForDevelopersContext } from '../../ui/for-developers.ts'

/** Of each kind. */
const maxResults = 6
/** Commands that make no sense inside the palette. */
const hidden: ReadonlySet<string> = new Set([
  'palette.open',
  'find.everywhere',
  'find.here',
  'pane.next',
  'pane.previous',
])
/** Commands about what is selected on the screen. */
const onSelection = /^(?:material|version|page|callback|review)\.(?!new$|saveView$)/

/** Palette content: commands with their shortcuts, filters by status, and what the search of the library finds. */
export function usePaletteSources(): PaletteSources {
  const { t, i18n } = useTranslation([...subjects])
  const formats = useFormats()
  const bridge = useBridge()
  const { all, run } = useCommands()
  const keysOf = useShownKeys()
  const site = useNavigation(currentSite)
  const open = useOpening()
  const isForDevelopers = useContext(ForDevelopersContext)
  const find = useCallback(
    async (text: string): Promise<PaletteFound> => {
      const { found, unread } = await bridge.call('findObjects', { site, text, limit: maxResults })
      return { groups: grouped(found, { t, formats, site, open, isForDevelopers }), unread }
    },
    [bridge, site, t, formats, open, isForDevelopers],
  )
  const synonymsOf = (id: CommandId): string => {
    const [group = '', name = ''] = id.split('.')
    const key = `app:synonyms.${group}.${name}`
    return i18n.exists(key) ? i18n.t(key as 'app:synonyms.health.restore') : ''
  }
  const commands = all
    .filter((command) => command.isAvailable?.() !== false && !hidden.has(command.id))
    .map((command) => ({
      id: command.id,
      key: `command:${command.id}`,
      title: command.title(t),
      detail: t(`app:groups.${command.group}`),
      synonyms: synonymsOf(command.id),
      ...(command.icon === undefined ? {} : { icon: command.icon }),
      keys: keysOf(command.id),
      run: () => run(command.id),
    }))
  return {
    groups: [
      { title: t('app:palette.selection'), items: commands.filter(({ id }) => onSelection.test(id)) },
      { title: t('app:palette.filters'), items: filters(t, open), needsText: true },
      { title: t('app:sections.settings'), items: settings(t, open), needsText: true },
      { title: t('app:palette.commands'), items: commands.filter(({ id }) => !onSelection.test(id)) },
    ],
    find,
  }
}

/** Opens the places that the palette finds. */
function useOpening() {
  const { go, setSite } = useNavigation()
  const materials = useMaterials()
  const callbacks = useCallbackList()
  const pages = useSitePages()
  const { showTab } = useVersions()
  const { seek } = useComments()
  const [askMaterials, askCallbacks, askPages] = [materials.ask, callbacks.ask, pages.ask]
  return useMemo(
    () => ({
      go,
      setSite,
      materials(question: Partial<typeof everyMaterial>, site?: string) {
        go(initialViewOf('materials'), site)
        askMaterials({ ...everyMaterial, ...question })
      },
      callbacks(question: Partial<typeof everyCallback>) {
        go(initialViewOf('delivery'))
        askCallbacks({ ...everyCallback, ...question })
      },
      pages(question: Partial<typeof everyPage>) {
        go(initialTab('pages'))
        askPages({ ...everyPage, ...question })
      },
      version(
        { site, materialId, versionId, olderNumber }: SearchFound,
        tab: 'summary' | 'comments',
        thread: string | null,
      ) {
        if (materialId === null) return
        seek(thread)
        showTab(tab)
        go({ screen: 'material', materialId, versionId: olderNumber === null ? null : versionId }, site)
      },
    }),
    [go, setSite, askMaterials, askCallbacks, askPages, showTab, seek],
  )
}
type Opening = ReturnType<typeof useOpening>

/** Each setting by its name, with the section that it is in. */
function settings(t: Translate, open: Opening): readonly PaletteItem[] {
  const named: Readonly<Record<string, readonly string[]>> = {
    rules: [
      t('settings:rules.pause'),
      t('settings:rules.unknownMaterials'),
      t('settings:rules.expired'),
      t('settings:rules.editLink'),
      t('settings:rules.otherPerson'),
      t('settings:rules.approveUnchanged'),
      t('settings:rules.editors'),
    ],
    listener: [t('settings:listener.host'), t('settings:listener.port')],
    library: [t('settings:storage.library'), t('settings:storage.backups'), t('settings:storage.every')],
    appearance: [
      t('settings:appearance.theme'),
      t('settings:appearance.density'),
      t('settings:appearance.language'),
      t('settings:appearance.personName'),
      t('settings:appearance.isForDevelopers'),
    ],
    start: [
      t('settings:start.atLogin'),
      t('settings:start.keepInTray'),
      t('settings:start.showsWhatIsSent'),
      t('settings:start.failures'),
      t('settings:start.tasks'),
    ],
  }
  return Object.entries(named).flatMap(([section, titles]) =>
    titles.map((title, at) => ({
      key: `setting:${section}:${at}`,
      title,
      detail: t(`settings:sections.${section as 'rules'}`),
      icon: Settings,
      run: () => open.go({ screen: 'settings', section }),
    })),
  )
}

/** What lists can be narrowed to, by the words that they show. */
function filters(t: Translate, open: Opening): readonly PaletteItem[] {
  const filter = (key: string, title: string, detail: string, synonyms: string, run: () => void): PaletteItem => ({
    key: `filter:${key}`,
    title,
    detail,
    synonyms,
    icon: ListFilter,
    run,
  })
  const [materials, delivery, pages] = [
    t('app:sections.materials'),
    t('app:sections.delivery'),
    t('app:sections.publish'),
  ]
  return [
    ...statusFilters.map((status) =>
      filter(status, t(`materials:status.${status}`), materials, t(`app:palette.statusWords.${status}`), () =>
        open.materials({ statuses: [status] }),
      ),
    ),
    ...(['failed', 'rejected', 'refused', 'interrupted'] as const).map((outcome) =>
      filter(outcome, t(`callbacks:outcomes.${outcome}`), delivery, '', () => open.callbacks({ outcomes: [outcome] })),
    ),
    ...(['draft', 'hidden'] as const).map((state) =>
      filter(state, t(`pages:states.${state}`), pages, t(`app:palette.statusWords.${state}`), () =>
        open.pages({ state }),
      ),
    ),
  ]
}

const icons: Readonly<Record<FoundObject['kind'], LucideIcon>> = {
  title: FileText,
  page: FileText,
  comment: MessageSquare,
  reason: Signature,
  person: User,
  callback: Webhook,
  site: Globe,
  snapshot: Type,
}

interface Shown {
  readonly t: Translate
  readonly formats: Formats
  /** The current site: others are named. */
  readonly site: string | null
  readonly open: Opening
  readonly isForDevelopers: boolean
}

function grouped(found: readonly FoundObject[], shown: Shown): readonly PaletteGroup[] {
  const { t } = shown
  const groups: readonly (readonly [FoundObject['kind'], string])[] = [
    ['title', t('app:sections.materials')],
    ['page', t('app:palette.inPages')],
    ['comment', t('app:palette.comments')],
    ['reason', t('app:palette.decisions')],
    ['person', t('app:palette.people')],
    ['callback', t('callbacks:title')],
    ['snapshot', t('app:sections.fonts')],
    ['site', t('sites:title')],
  ]
  return groups.map(([kind, title]) => ({
    title,
    items: found.filter((object) => object.kind === kind).map((object) => itemOf(object, found, shown)),
  }))
}

function itemOf(object: FoundObject, all: readonly FoundObject[], shown: Shown): PaletteItem {
  const { t, formats, open, isForDevelopers } = shown
  const icon = icons[object.kind]
  switch (object.kind) {
    case 'site':
      return {
        key: `site:${object.site}`,
        title: object.name,
        detail: t(`sites:environmentNames.${object.environment}`),
        icon,
        run: () => open.setSite(object.site),
      }
    case 'snapshot': {
      const { site, snapshotId, receivedAt } = object
      return {
        key: `snapshot:${site}:${snapshotId}`,
        title: formats.exact(receivedAt),
        ...(isForDevelopers && { detail: snapshotId }),
        icon,
        run: () => open.go({ screen: 'fonts', snapshotId }, site),
      }
    }
    case 'title':
    case 'page':
    case 'comment':
    case 'reason':
    case 'person':
    case 'callback':
      return foundItem(object, isByItsId(object, all), shown)
  }
}

/** Whether a page was found by what is not in its title, or shares the title with another one. */
const isByItsId = (page: SearchFound, all: readonly FoundObject[]): boolean =>
  (page.excerpt.length > 0 && !page.excerpt.some(({ isHit }) => isHit)) ||
  all.some((other) => other.kind === 'title' && other.title === page.title && other.materialId !== page.materialId)

function foundItem(found: SearchFound, isById: boolean, { t, formats, site, open, ...shown }: Shown): PaletteItem {
  const { kind, materialId, by, at, excerpt, olderNumber, decision } = found
  const said = excerpt.map(({ text }) => text).join('')
  const name = materialId === null ? said : titleOf({ materialId, title: found.title ?? '' })
  const details = (...parts: readonly (string | null)[]): string =>
    [...parts, found.site === site ? null : found.site].filter((part) => part !== null && part !== '').join(' · ')
  const version = olderNumber === null ? null : t('app:palette.version', { number: olderNumber })
  const day = at === null ? null : formats.dayAndMinute(at)
  const key = [kind, found.site, materialId, found.versionId, found.id, by].join(':')
  const item = { key: kind === 'title' ? `material:${found.site}:${materialId}` : key, icon: icons[kind] }
  switch (kind) {
    case 'title':
      return {
        ...item,
        title: name,
        detail: details(shown.isForDevelopers || isById ? materialId : null),
        run: () => open.version(found, 'summary', null),
      }
    case 'page':
      return {
        ...item,
        ...(version !== null && { icon: FileClock }),
        title: name,
        detail: details(version, said),
        run: () => open.version(found, 'summary', null),
      }
    case 'comment':
      return {
        ...item,
        title: said,
        detail: details(by, name, version),
        run: () => open.version(found, 'comments', found.id),
      }
    case 'reason':
      return {
        ...item,
        title: said === '' && decision !== null ? t(`versions:decided.${decision}`) : said,
        detail: details(by, name, version),
        run: () => open.version(found, 'summary', null),
      }
    case 'person':
      return {
        ...item,
        title: by ?? '',
        detail: details(t('app:palette.saves'), day),
        run: () => open.materials({ editors: [by ?? ''] }, found.site),
      }
    case 'callback':
      return {
        ...item,
        title: materialId === null && !shown.isForDevelopers ? t('callback:detail') : name,
        detail: details(shown.isForDevelopers ? said : null, day),
        run: () => open.go({ screen: 'delivery', callbackId: found.id }, found.site),
      }
  }
}
