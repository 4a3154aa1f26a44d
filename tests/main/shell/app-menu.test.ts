import type { MenuItemConstructorOptions } from 'electron'
import { expect, it } from 'vitest'

import type { CommandId } from '../../../packages/library/records/shortcuts.ts'
import { appMenu } from '../../../src/main/shell/app-menu.ts'
import { createTexts } from '../../../src/texts/catalogue.ts'

function aMenu(over: Partial<Parameters<typeof appMenu>[0]> = {}) {
  const ran: CommandId[] = []
  const t = createTexts('en').getFixedT('en', ['system', 'app', 'tasks'] as const)
  const menu = appMenu({ t, onMac: false, chosenKeys: {}, run: (id) => ran.push(id), quit: () => {}, ...over })
  const lines = menu.flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []))
  return { ran, menu, lines, find: (label: string) => lines.find((line) => line.label === label) }
}

const click = (line: MenuItemConstructorOptions | undefined) => (line?.click as unknown as (() => void) | undefined)?.()

it('shows the shortcut of a command and runs it, while the window handles the keys', () => {
  const { ran, find } = aMenu()
  expect(find('Command palette')).toMatchObject({ accelerator: 'CmdOrCtrl+K', registerAccelerator: false })
  expect(find('Back')).toMatchObject({ accelerator: 'Alt+Left' })
  click(find('Delivery'))
  expect(ran).toEqual(['go.delivery'])
})

it('ends with help and the About command', () => {
  const { ran, menu, find } = aMenu()
  expect(menu.at(-1)?.label).toBe('Help')
  const labels = ['Galley help', 'Keyboard shortcuts', 'Open log folder', 'Copy diagnostics', 'About Galley']
  for (const label of labels) click(find(label))
  expect(ran).toEqual(['help.open', 'sheet.open', 'help.log', 'help.diagnostics', 'help.about'])
})

it('shows custom shortcuts, and none that are turned off', () => {
  const { find } = aMenu({ chosenKeys: { 'palette.open': ['Mod+J'], 'view.sidebar': [] } })
  expect(find('Command palette')).toMatchObject({ accelerator: 'CmdOrCtrl+J' })
  expect(find('Toggle sidebar')).not.toHaveProperty('accelerator')
})

it('on macOS, the application menu has Quit, and the menu handles the keys', () => {
  const { menu, find } = aMenu({ onMac: true })
  expect(menu[0]).toEqual({ role: 'appMenu' })
  expect(find('Quit Galley')).toBeUndefined()
  expect(find('Command palette')).toMatchObject({ registerAccelerator: true })
  expect(find('Close window'), 'Cmd+W').toEqual({ role: 'close', label: 'Close window' })
})

it('zooms in with plus on every keyboard layout, and shows each command once', () => {
  const { lines } = aMenu()
  const ofRole = (role: string) => lines.filter((line) => line.role === role)
  expect(ofRole('zoomIn').map(({ accelerator }) => accelerator)).toEqual([
    'CmdOrCtrl+=',
    'CmdOrCtrl+Plus',
    'CmdOrCtrl+numadd',
  ])
  for (const role of ['zoomIn', 'zoomOut', 'resetZoom'])
    expect(ofRole(role).filter(({ visible }) => visible !== false)).toHaveLength(1)
})
