import { keysOf, sections } from '@galley/library/records'
import type { ChosenShortcuts, CommandId } from '@galley/library/records'
import type { ContextMenuParams, MenuItemConstructorOptions } from 'electron'
import type { TFunction } from 'i18next'

type Words = TFunction<readonly ['system', 'app', 'tasks', 'help']>

interface Edges {
  readonly t: Words
  readonly onMac: boolean
  readonly chosenKeys: ChosenShortcuts
  readonly run: (id: CommandId) => void
  readonly quit: () => void
}

/** `Mod+Shift+F` as Electron writes it; arrows have other names there. */
const acceleratorOf = (keys: string): string => keys.replace('Mod', 'CmdOrCtrl').replace('Arrow', '')

/**
 * The menu of the application. It shows the keys of commands; the window itself listens to them, except on macOS,
 * where a menu takes its keys before the page does.
 */
export function appMenu(edges: Edges): readonly MenuItemConstructorOptions[] {
  const menu: MenuParts = { ...edges, command: commandsOf(edges) }
  return [
    ...(edges.onMac ? [{ role: 'appMenu' } as const] : []),
    fileMenu(menu),
    editMenu(menu),
    viewMenu(menu),
    goMenu(menu),
    ...(edges.onMac ? [{ role: 'windowMenu' } as const] : []),
    helpMenu(menu),
  ]
}

/** The parts from which each menu is built; `command` returns the entry of a command. */
interface MenuParts extends Pick<Edges, 't' | 'onMac' | 'quit'> {
  readonly command: (id: CommandId, label: string) => MenuItemConstructorOptions
}

const line: MenuItemConstructorOptions = { type: 'separator' }

const commandsOf =
  ({ onMac, chosenKeys, run }: Edges): MenuParts['command'] =>
  (id, label) => {
    const [keys] = keysOf(id, chosenKeys)
    return {
      label,
      ...(keys === undefined ? {} : { accelerator: acceleratorOf(keys) }),
      registerAccelerator: onMac,
      click: () => run(id),
    }
  }

function fileMenu({ t, command, onMac, quit }: MenuParts): MenuItemConstructorOptions {
  return {
    label: t('system:menu.file'),
    submenu: [
      command('material.new', t('system:menu.newMaterial')),
      command('site.add', t('system:menu.addSite')),
      line,
      command('export.new', t('system:menu.export')),
      line,
      command('settings.open', t('app:sections.settings')),
      ...(onMac
        ? [line, { role: 'close', label: t('system:menu.close') } satisfies MenuItemConstructorOptions]
        : [
            line,
            {
              label: t('system:menu.quit'),
              accelerator: 'CmdOrCtrl+Q',
              click: quit,
            } satisfies MenuItemConstructorOptions,
          ]),
    ],
  }
}

function editMenu({ t, command }: MenuParts): MenuItemConstructorOptions {
  return {
    label: t('system:menu.edit'),
    submenu: [
      { role: 'undo', label: t('system:menu.undo') },
      { role: 'redo', label: t('system:menu.redo') },
      line,
      { role: 'cut', label: t('system:menu.cut') },
      { role: 'copy', label: t('system:menu.copy') },
      { role: 'paste', label: t('system:menu.paste') },
      { role: 'selectAll', label: t('system:menu.selectAll') },
      line,
      command('find.here', t('app:commands.find')),
      command('find.everywhere', t('app:commands.findEverywhere')),
    ],
  }
}

function viewMenu({ t, command }: MenuParts): MenuItemConstructorOptions {
  return {
    label: t('system:menu.view'),
    submenu: [
      command('palette.open', t('app:palette.title')),
      line,
      command('view.sidebar', t('app:commands.sidebar')),
      command('view.inspector', t('app:commands.inspector')),
      command('tasks.open', t('app:commands.tasks')),
      line,
      command('view.refresh', t('app:commands.refresh')),
      line,
      { role: 'zoomIn', label: t('system:menu.zoomIn'), accelerator: 'CmdOrCtrl+=' },
      // Plus with Shift, and that of the number pad.
      { role: 'zoomIn', accelerator: 'CmdOrCtrl+Plus', visible: false, acceleratorWorksWhenHidden: true },
      { role: 'zoomIn', accelerator: 'CmdOrCtrl+numadd', visible: false, acceleratorWorksWhenHidden: true },
      { role: 'zoomOut', label: t('system:menu.zoomOut') },
      { role: 'zoomOut', accelerator: 'CmdOrCtrl+numsub', visible: false, acceleratorWorksWhenHidden: true },
      { role: 'resetZoom', label: t('system:menu.zoomReset') },
      { role: 'togglefullscreen', label: t('system:menu.fullScreen') },
    ],
  }
}

function goMenu({ t, command }: MenuParts): MenuItemConstructorOptions {
  return {
    label: t('system:menu.go'),
    submenu: [
      command('go.back', t('app:back')),
      command('go.forward', t('app:forward')),
      line,
      ...sections.map((section) => command(`go.${section}`, t(`app:sections.${section}`))),
    ],
  }
}

function helpMenu({ t, command }: MenuParts): MenuItemConstructorOptions {
  return {
    label: t('system:menu.help'),
    submenu: [
      command('help.open', t('system:menu.openHelp')),
      command('sheet.open', t('app:sheet.title')),
      line,
      command('help.log', t('help:commands.log')),
      command('help.diagnostics', t('help:commands.diagnostics')),
      command('help.report', t('help:commands.report')),
      line,
      command('help.about', t('system:menu.about')),
    ],
  }
}

type EditFlags = Pick<
  ContextMenuParams,
  'isEditable' | 'selectionText' | 'editFlags' | 'misspelledWord' | 'dictionarySuggestions'
>

/** The suggestions for a misspelled word. */
interface Spelling {
  readonly replace: (suggestion: string) => void
  readonly learn: (word: string) => void
}

/** The menu of the right mouse button: spelling, cut, copy and paste in text fields, copy where text is selected; else empty. */
export function textMenu(
  { isEditable, selectionText, editFlags, misspelledWord, dictionarySuggestions }: EditFlags,
  t: TFunction<'system'>,
  { replace, learn }: Spelling,
): readonly MenuItemConstructorOptions[] {
  const copy: MenuItemConstructorOptions = { role: 'copy', label: t('menu.copy'), enabled: editFlags.canCopy }
  if (!isEditable) return selectionText.trim() === '' ? [] : [copy]
  const corrections: readonly MenuItemConstructorOptions[] = [
    ...dictionarySuggestions.map((suggestion) => ({ label: suggestion, click: () => replace(suggestion) })),
    ...(dictionarySuggestions.length > 0 ? [] : [{ label: t('menu.noSuggestions'), enabled: false }]),
    { label: t('menu.learn', { word: misspelledWord }), click: () => learn(misspelledWord) },
    { type: 'separator' },
  ]
  return [
    ...(misspelledWord === '' ? [] : corrections),
    { role: 'cut', label: t('menu.cut'), enabled: editFlags.canCut },
    copy,
    { role: 'paste', label: t('menu.paste'), enabled: editFlags.canPaste },
    { type: 'separator' },
    { role: 'selectAll', label: t('menu.selectAll'), enabled: editFlags.canSelectAll },
  ]
}
