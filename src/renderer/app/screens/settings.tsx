import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

import { useBridge } from '../../bridge/use-bridge.ts'
import { useCopy } from '../../domain/copy-text.ts'
import { ProblemBanner } from '../../domain/means.tsx'
import { DeveloperSection } from '../../features/developer/developer-section.tsx'
import { useListener } from '../../features/listener/store.ts'
import { RulesSection } from '../../features/rules/rules-section.tsx'
import { AppearanceSection } from '../../features/settings/appearance-section.tsx'
import { LibrarySection } from '../../features/settings/library-section.tsx'
import { ListenerSection } from '../../features/settings/listener-section.tsx'
import { SettingsPane, settingsSections } from '../../features/settings/settings-pane.tsx'
import type { SettingsSection } from '../../features/settings/settings-pane.tsx'
import { ShortcutsSection } from '../../features/settings/shortcuts-section.tsx'
import { SelfTest, SitesSection } from '../../features/settings/sites-section.tsx'
import { StartSection } from '../../features/settings/start-section.tsx'
import { useSettings } from '../../features/settings/store.ts'
import { siteIn, useSites } from '../../features/sites/store.ts'
import { TeamSection } from '../../features/team/team-section.tsx'
import { useWebhook } from '../../features/webhook/store.ts'
import { WebhookSection } from '../../features/webhook/webhook-section.tsx'
import { currentSite, useNavigation } from '../../navigation/navigation.ts'
import { Failed } from '../../ui/failed.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { Part, Screen } from './screen.ts'

function Sites() {
  const state = useSites()
  return (
    <SitesSection
      view={state.view}
      onAdd={() => state.show({ kind: 'add' })}
      onRetry={() => void state.load()}
      onEdit={(site) => state.show({ kind: 'edit', site })}
      onRemove={(site) => state.show({ kind: 'remove', site })}
      onTry={(site) => state.show({ kind: 'try', site })}
      onConfirm={(site) => void state.confirm(site.id)}
    />
  )
}

function Rules() {
  const site = siteIn(useSites(), useNavigation(currentSite))
  return <RulesSection siteName={site?.name ?? null} />
}

function Webhook() {
  const site = siteIn(useSites(), useNavigation(currentSite))
  const goToSection = useNavigation((state) => state.goToSection)
  const list = useWebhook((state) => state.list)
  const copy = useCopy()
  return (
    <WebhookSection
      siteName={site?.name ?? null}
      onCopy={copy}
      onShowMessages={() => {
        list(true)
        goToSection('delivery')
      }}
    />
  )
}

function Developer() {
  const site = siteIn(useSites(), useNavigation(currentSite))
  const show = useSites((state) => state.show)
  return (
    <DeveloperSection
      site={site}
      selfTest={site && <SelfTest site={site.id} name={site.name} />}
      onEdit={() => site && show({ kind: 'edit', site })}
    />
  )
}

/** Sections with stores of their own. */
const ownSections = ['sites', 'rules', 'webhook', 'developer'] as const
type OwnSection = (typeof ownSections)[number]
const isOwn = (section: SettingsSection): section is OwnSection => ownSections.some((own) => own === section)

/** The app's own settings sections. */
function AppSection({ section }: { readonly section: Exclude<SettingsSection, OwnSection> }) {
  const { t } = useTranslation('settings')
  const bridge = useBridge()
  const { view, problem, load, change, chooseBackupFolder } = useSettings()
  const listener = useListener(({ state }) => state)
  useEffect(() => void load(), [load])
  const restartListener = async (): Promise<void> => {
    await bridge.call('restartListener', undefined).catch(() => null)
  }
  if (view.kind === 'loading') return <Skeleton rows={5} />
  if (view.kind === 'failed') return <Failed text={t('failed')} onRetry={() => void load()} />
  const shown = { settings: view.items, change }
  return (
    <>
      {problem !== null && <ProblemBanner problem={problem} />}
      {section === 'listener' && <ListenerSection {...shown} listener={listener} onRestart={restartListener} />}
      {section === 'library' && (
        <LibrarySection {...shown} team={<TeamSection />} chooseBackupFolder={chooseBackupFolder} />
      )}
      {section === 'appearance' && <AppearanceSection {...shown} />}
      {section === 'shortcuts' && <ShortcutsSection {...shown} />}
      {section === 'start' && <StartSection {...shown} />}
    </>
  )
}

function SettingsList({ view }: Part<'settings'>) {
  const choose = useNavigation((state) => state.choose)
  const section = settingsSections.find((name) => name === view.section) ?? 'sites'
  return (
    <SettingsPane section={section} onChoose={(chosen) => choose({ screen: 'settings', section: chosen })}>
      {section === 'sites' && <Sites />}
      {section === 'rules' && <Rules />}
      {section === 'webhook' && <Webhook />}
      {section === 'developer' && <Developer />}
      {!isOwn(section) && <AppSection section={section} />}
    </SettingsPane>
  )
}

export const settingsScreen: Screen<'settings'> = { List: SettingsList, Inspector: null }
