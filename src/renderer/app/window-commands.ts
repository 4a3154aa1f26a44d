import type { i18n } from 'i18next'
import type { LucideIcon } from 'lucide-react'
import { Activity, FileDown, Files, Settings, Type, Webhook } from 'lucide-react'

import { ok } from '../../contract/result.ts'
import type { CommandId } from '../../contract/domain/shortcuts.ts'
import type { Command } from '../commands/commands.ts'
import { orProblem } from '../bridge/answers.ts'
import { problemIn } from '../i18n/problem-text.ts'
import type { Section } from '../navigation/view.ts'
import { sections } from '../navigation/view.ts'
import type { Services } from '../domain/services.ts'
import { cyclePanes, paneNow } from '../ui/panes.ts'
import { focusSearch } from '../ui/search.tsx'
import { addFailure } from '../ui/toasts.tsx'
import type { createAppearance } from './state/appearance.ts'
import type { createLayers, Layer } from './state/layers.ts'
import type { createLayout } from './state/layout.ts'

export const sectionIcons: Readonly<Record<Section, LucideIcon>> = {
  materials: Files,
  callbacks: Webhook,
  fonts: Type,
  exports: FileDown,
  health: Activity,
  settings: Settings,
}

interface Parts extends Services {
  readonly useLayers: ReturnType<typeof createLayers>
  readonly useLayout: ReturnType<typeof createLayout>
  readonly useAppearance: ReturnType<typeof createAppearance>
  readonly texts: i18n
  /** Reads again what is shown. */
  readonly refresh: () => void
}

/** What the window itself can do, whatever it shows. */
export function windowCommands(parts: Parts): readonly Command[] {
  const { bridge, toasts, texts, useNavigation, useLayers, useLayout, useAppearance, refresh } = parts
  const open = (layer: Layer): void => useLayers.getState().open(layer)
  const { change } = useAppearance.getState()
  async function openLog(): Promise<void> {
    const opened = await orProblem(bridge.call('openLogFolder', undefined))
    if (!opened.ok) addFailure(toasts, { title: problemIn(opened.failure, texts) })
  }
  async function copyDiagnostics(): Promise<void> {
    const copied = await orProblem(bridge.call('copyDiagnostics', undefined).then(ok))
    if (copied.ok) toasts.add({ title: texts.t('help:copied') })
    else addFailure(toasts, { title: problemIn(copied.failure, texts) })
  }
  return [
    { id: 'palette.open', group: 'general', title: (t) => t('app:commands.palette'), run: () => open('palette') },
    { id: 'sheet.open', group: 'general', title: (t) => t('app:commands.shortcuts'), run: () => open('sheet') },
    { id: 'help.open', group: 'general', title: (t) => t('help:commands.open'), run: () => open('help') },
    { id: 'help.about', group: 'general', title: (t) => t('help:commands.about'), run: () => open('about') },
    {
      id: 'help.log',
      group: 'general',
      title: (t) => t('help:commands.log'),
      run: () => void openLog(),
    },
    {
      id: 'help.diagnostics',
      group: 'general',
      title: (t) => t('help:commands.diagnostics'),
      run: () => void copyDiagnostics(),
    },
    { id: 'tasks.open', group: 'general', title: (t) => t('app:commands.tasks'), run: () => open('tasks') },
    {
      id: 'settings.open',
      group: 'general',
      title: (t) => t('app:commands.settings'),
      run: () => useNavigation.getState().goToSection('settings'),
    },
    {
      id: 'find.here',
      group: 'general',
      title: (t) => t('app:commands.find'),
      run: () => {
        if (!focusSearch(paneNow())) open('palette')
      },
    },
    {
      id: 'find.everywhere',
      group: 'general',
      title: (t) => t('app:commands.findEverywhere'),
      run: () => open('palette'),
    },
    { id: 'view.refresh', group: 'view', title: (t) => t('app:commands.refresh'), run: refresh },
    { id: 'go.back', group: 'go', title: (t) => t('app:commands.back'), run: () => useNavigation.getState().back() },
    {
      id: 'go.forward',
      group: 'go',
      title: (t) => t('app:commands.forward'),
      run: () => useNavigation.getState().forward(),
    },
    ...sections.map((section): Command => ({
      id: `go.${section}` satisfies CommandId,
      group: 'go',
      icon: sectionIcons[section],
      title: (t) => t('app:commands.go', { section: t(`app:sections.${section}`) }),
      run: () => useNavigation.getState().goToSection(section),
    })),
    {
      id: 'view.sidebar',
      group: 'view',
      title: (t) => t('app:commands.sidebar'),
      run: () => useLayout.getState().toggleSidebar(),
    },
    {
      id: 'view.inspector',
      group: 'view',
      title: (t) => t('app:commands.inspector'),
      run: () => useLayout.getState().toggleInspector(),
    },
    { id: 'pane.next', group: 'view', title: (t) => t('app:commands.nextPane'), run: () => cyclePanes(1) },
    { id: 'pane.previous', group: 'view', title: (t) => t('app:commands.previousPane'), run: () => cyclePanes(-1) },
    {
      id: 'theme.light',
      group: 'view',
      title: (t) => t('app:commands.themeLight'),
      run: () => change({ theme: 'light' }),
    },
    {
      id: 'theme.dark',
      group: 'view',
      title: (t) => t('app:commands.themeDark'),
      run: () => change({ theme: 'dark' }),
    },
    {
      id: 'theme.system',
      group: 'view',
      title: (t) => t('app:commands.themeSystem'),
      run: () => change({ theme: 'system' }),
    },
    {
      id: 'density.compact',
      group: 'view',
      title: (t) => t('app:commands.densityCompact'),
      run: () => change({ density: 'compact' }),
    },
    {
      id: 'density.default',
      group: 'view',
      title: (t) => t('app:commands.densityDefault'),
      run: () => change({ density: 'default' }),
    },
    {
      id: 'density.roomy',
      group: 'view',
      title: (t) => t('app:commands.densityRoomy'),
      run: () => change({ density: 'roomy' }),
    },
    {
      id: 'language.en',
      group: 'view',
      title: (t) => t('app:commands.languageEn'),
      run: () => change({ language: 'en' }),
    },
    {
      id: 'language.ru',
      group: 'view',
      title: (t) => t('app:commands.languageRu'),
      run: () => change({ language: 'ru' }),
    },
  ]
}
