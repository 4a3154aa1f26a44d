import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

import { createLibraryFolder } from '../../features/settings/library-folder.ts'
import type { createListener } from '../../features/listener/store.ts'
import { createRulesDrafts } from '../../features/rules/drafts.ts'
import { RulesSection } from '../../features/rules/rules-section.tsx'
import { createRules } from '../../features/rules/store.ts'
import { AppearanceSection } from '../../features/settings/appearance-section.tsx'
import type { ListenerDraft } from '../../features/settings/listener-section.tsx'
import { ListenerSection } from '../../features/settings/listener-section.tsx'
import { createErase } from '../../features/settings/erase.ts'
import { createPrune } from '../../features/settings/prune.ts'
import type { RetentionDraft } from '../../features/settings/retention-form.tsx'
import { SettingsPane, settingsSections } from '../../features/settings/settings-pane.tsx'
import type { SettingsSection } from '../../features/settings/settings-pane.tsx'
import { ShortcutsSection } from '../../features/settings/shortcuts-section.tsx'
import { SitesSection } from '../../features/settings/sites-section.tsx'
import { createSiteList } from '../../features/settings/sites-store.ts'
import { StartSection } from '../../features/settings/start-section.tsx'
import { StorageSection } from '../../features/settings/storage-section.tsx'
import { createSettings } from '../../features/settings/store.ts'
import { siteIn } from '../../features/sites/store.ts'
import type { createSites } from '../../features/sites/store.ts'
import { followOn, siteNow } from '../../navigation/navigation.ts'
import { whileShown } from '../../navigation/while-shown.ts'
import type { Services } from '../../domain/services.ts'
import { createDrafts } from '../../stores/drafts.ts'
import { useProblemText } from '../../i18n/problem-text.ts'
import { createSafety } from '../../domain/safety-copy.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { Part, Screen } from './screen.ts'

interface Shared {
  readonly useSites: ReturnType<typeof createSites>
  readonly useListener: ReturnType<typeof createListener>
}

/** Everything that can be set, by section. */
export function createSettingsScreen(services: Services, { useSites, useListener }: Shared): Screen<'settings'> {
  const { useNavigation, useCommands } = services
  const bridge = whileShown(services.bridge, useNavigation, ['settings'])
  const useSettings = createSettings(bridge)
  const useRules = createRules(bridge)
  const rulesDrafts = createRulesDrafts()
  const useListenerDrafts = createDrafts<ListenerDraft>()
  const useRetentionDrafts = createDrafts<RetentionDraft>()
  const useSiteList = createSiteList(bridge)
  const usePrune = createPrune(bridge)
  const useSafety = createSafety(bridge)
  const useErase = createErase(bridge)
  const useLibraryFolder = createLibraryFolder(bridge)
  followOn(useNavigation, ['settings'], (site) => useRules.getState().show(site))
  const restartListener = async (): Promise<void> => {
    await bridge.call('restartListener', undefined).catch(() => null)
  }

  function Sites() {
    const state = useSites()
    return (
      <SitesSection
        view={state.view}
        useSiteList={useSiteList}
        onAdd={() => state.show({ kind: 'add' })}
        onRetry={() => void state.load()}
        onEdit={(site) => state.show({ kind: 'edit', site })}
        onRemove={(site) => state.show({ kind: 'remove', site })}
        onConfirm={(site) => void state.confirm(site.id)}
      />
    )
  }

  function Rules() {
    const site = siteIn(useSites(), useNavigation(siteNow))
    return <RulesSection useRules={useRules} drafts={rulesDrafts} siteName={site?.name ?? null} />
  }

  /** The sections that are about the settings of the app. */
  function AppSection({ section }: { readonly section: Exclude<SettingsSection, 'sites' | 'rules'> }) {
    const { t } = useTranslation('settings')
    const problemText = useProblemText()
    const { view, problem, load, change, chooseBackupFolder } = useSettings()
    const listener = useListener(({ state }) => state)
    useEffect(() => void load(), [load])
    if (view.kind === 'loading') return <Skeleton rows={5} />
    if (view.kind === 'failed') return <Failed text={t('failed')} onRetry={() => void load()} />
    const settings = view.items
    const shown = { settings, change }
    return (
      <>
        {problem !== null && <Banner tone="danger" text={problemText(problem)} />}
        {section === 'listener' && (
          <ListenerSection {...shown} listener={listener} onRestart={restartListener} useDrafts={useListenerDrafts} />
        )}
        {section === 'storage' && (
          <StorageSection
            {...shown}
            chooseBackupFolder={chooseBackupFolder}
            useLibraryFolder={useLibraryFolder}
            usePrune={usePrune}
            useSafety={useSafety}
            useErase={useErase}
            useDrafts={useRetentionDrafts}
          />
        )}
        {section === 'appearance' && <AppearanceSection {...shown} />}
        {section === 'shortcuts' && <ShortcutsSection {...shown} useCommands={useCommands} />}
        {section === 'start' && <StartSection {...shown} />}
      </>
    )
  }

  return {
    List: function SettingsList({ view }: Part<'settings'>) {
      const section = settingsSections.find((name) => name === view.section) ?? 'sites'
      return (
        <SettingsPane
          section={section}
          onChoose={(chosen) => useNavigation.getState().choose({ screen: 'settings', section: chosen })}
        >
          {section === 'sites' && <Sites />}
          {section === 'rules' && <Rules />}
          {section !== 'sites' && section !== 'rules' && <AppSection section={section} />}
        </SettingsPane>
      )
    },
    Inspector: null,
  }
}
