import { sections } from '@galley/library/records'
import type { CommandId } from '@galley/library/records'
import { ok } from '@galley/wire'
import type { StoreApi } from 'zustand'

import { catchUnexpected } from '../bridge/answers.ts'
import type { Command } from '../commands/commands.ts'
import { succeeded } from '../domain/call-toasts.ts'
import type { Services } from '../domain/services.ts'
import { cyclePanes, currentPane } from '../ui/panes.ts'
import { focusSearch } from '../ui/search.tsx'
import { sectionIcons } from './frame/sidebar.tsx'
import type { Appearance, AppearanceState } from './state/appearance.ts'
import type { Layers } from './state/layers.ts'
import type { Layout } from './state/layout.ts'

interface Parts {
  readonly layers: StoreApi<Layers>
  readonly layout: StoreApi<Layout>
  readonly appearance: StoreApi<AppearanceState>
  /** Reloads the current screen. */
  readonly refresh: () => void
}

/** Commands that work on every screen. */
export function windowCommands(services: Services, { layers, layout, appearance, refresh }: Parts): readonly Command[] {
  const { open } = layers.getState()
  const { change } = appearance.getState()
  const { toggleSidebar, toggleInspector } = layout.getState()
  return [
    ...generalCommands(services, open),
    { id: 'view.refresh', group: 'view', title: (t) => t('app:commands.refresh'), run: refresh },
    ...goCommands(services),
    { id: 'view.sidebar', group: 'view', title: (t) => t('app:commands.sidebar'), run: toggleSidebar },
    { id: 'view.inspector', group: 'view', title: (t) => t('app:commands.inspector'), run: toggleInspector },
    { id: 'pane.next', group: 'view', title: (t) => t('app:commands.nextPane'), run: () => cyclePanes(1) },
    { id: 'pane.previous', group: 'view', title: (t) => t('app:commands.previousPane'), run: () => cyclePanes(-1) },
    ...appearanceCommands.map(({ id, title, change: values }): Command => ({
      id,
      group: 'view',
      title,
      run: () => change(values),
    })),
  ]
}

/** Overlays, help and search. */
function generalCommands(services: Services, open: Layers['open']): readonly Command[] {
  const { bridge, toasts, texts, navigation } = services
  async function openLog(): Promise<void> {
    succeeded(services, null, await catchUnexpected(bridge.call('openLogFolder', undefined)))
  }
  async function copyDiagnostics(): Promise<void> {
    const copied = await catchUnexpected(bridge.call('copyDiagnostics', undefined).then(ok))
    if (succeeded(services, null, copied)) toasts.add({ title: texts.t('help:copied') })
  }
  const find = (): void => {
    if (!focusSearch(currentPane())) open('palette')
  }
  const commands: readonly Omit<Command, 'group'>[] = [
    { id: 'library.newComputer', title: (t) => t('settings:move.command'), run: () => open('move') },
    { id: 'palette.open', title: (t) => t('app:commands.palette'), run: () => open('palette') },
    { id: 'sheet.open', title: (t) => t('app:commands.shortcuts'), run: () => open('sheet') },
    { id: 'help.open', title: (t) => t('help:commands.open'), run: () => open('help') },
    { id: 'help.about', title: (t) => t('help:commands.about'), run: () => open('about') },
    { id: 'help.log', title: (t) => t('help:commands.log'), run: () => void openLog() },
    { id: 'help.report', title: (t) => t('help:commands.report'), run: () => open('report') },
    { id: 'help.diagnostics', title: (t) => t('help:commands.diagnostics'), run: () => void copyDiagnostics() },
    { id: 'tasks.open', title: (t) => t('app:commands.tasks'), run: () => open('tasks') },
    {
      id: 'settings.open',
      title: (t) => t('app:commands.settings'),
      run: () => navigation.getState().goToSection('settings'),
    },
    { id: 'find.here', title: (t) => t('app:commands.find'), run: find },
    { id: 'find.everywhere', title: (t) => t('app:commands.findEverywhere'), run: () => open('palette') },
  ]
  return commands.map((command) => ({ ...command, group: 'general' }))
}

function goCommands({ navigation }: Services): readonly Command[] {
  const { back, forward, goToSection } = navigation.getState()
  return [
    { id: 'go.back', group: 'go', title: (t) => t('app:commands.back'), run: back },
    { id: 'go.forward', group: 'go', title: (t) => t('app:commands.forward'), run: forward },
    ...sections.map((section): Command => ({
      id: `go.${section}` satisfies CommandId,
      group: 'go',
      icon: sectionIcons[section],
      title: (t) => t('app:commands.go', { section: t(`app:sections.${section}`) }),
      run: () => goToSection(section),
    })),
  ]
}

/** Themes and languages. */
const appearanceCommands: readonly (Pick<Command, 'id' | 'title'> & { readonly change: Partial<Appearance> })[] = [
  { id: 'theme.light', title: (t) => t('app:commands.themeLight'), change: { theme: 'light' } },
  { id: 'theme.dark', title: (t) => t('app:commands.themeDark'), change: { theme: 'dark' } },
  { id: 'theme.system', title: (t) => t('app:commands.themeSystem'), change: { theme: 'system' } },
  { id: 'density.compact', title: (t) => t('app:commands.densityCompact'), change: { density: 'compact' } },
  { id: 'density.default', title: (t) => t('app:commands.densityDefault'), change: { density: 'default' } },
  { id: 'density.roomy', title: (t) => t('app:commands.densityRoomy'), change: { density: 'roomy' } },
  { id: 'language.en', title: (t) => t('app:commands.languageEn'), change: { language: 'en' } },
  { id: 'language.ru', title: (t) => t('app:commands.languageRu'), change: { language: 'ru' } },
]
