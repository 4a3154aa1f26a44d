import { expect, it } from 'vitest'

import type { ListenerState } from '../../../packages/library/records/listener-state.ts'
import type { SavePauses } from '../../../packages/library/views/rules.ts'
import { cause } from '../../../packages/wire/cause.ts'
import { trayMenu, trayTip } from '../../../src/main/shell/tray-menu.ts'
import { createTexts } from '../../../src/texts/catalogue.ts'

const t = createTexts('en').getFixedT('en', 'system')
const listening: ListenerState = { kind: 'listening', url: 'http://127.0.0.1:8787' }
const elsewhere: ListenerState = { kind: 'elsewhere', processId: 7, url: null }
const pause = { reason: '', since: '2026-11-21T10:00:00.000Z' }
const taken: SavePauses = { reach: 'none', pauses: [] }
const refused: SavePauses = { reach: 'all', pauses: [{ ...pause, site: null }] }
const partly: SavePauses = { reach: 'some', pauses: [{ ...pause, site: { id: 'harbour', name: 'Harbour' } }] }

it.each([
  [listening, taken, 'Listening at 127.0.0.1:8787'],
  [listening, refused, 'Listening at 127.0.0.1:8787, saves paused'],
  [listening, partly, 'Listening at 127.0.0.1:8787, some saves paused'],
  [elsewhere, refused, 'Process 7 is listening, saves paused'],
  [{ kind: 'stopping' }, taken, 'Stopping: finishing saves in progress'],
  [{ kind: 'stopped' }, refused, 'Listener stopped, no saves are received'],
  [
    { ...listening, fault: { until: 'mended', cause: cause('disk_full') } } as const,
    refused,
    'Listening, but saves can’t be stored',
  ],
] as const)('of %j with %j the tray says %j', (listener, saves, line) => {
  const facts = { listener, saves, lastSave: '21 Nov 2026, 07:11', recent: [] }
  expect(trayTip(facts, t)).toBe(`Galley\n${line}\nLast save: 21 Nov 2026, 07:11`)
  expect(trayMenu(facts, t)[0]).toEqual({ kind: 'fact', label: line })
})

it('before any save, the tooltip only shows the state', () =>
  expect(trayTip({ listener: listening, saves: taken, lastSave: null, recent: [] }, t)).toBe(
    'Galley\nListening at 127.0.0.1:8787',
  ))

it.each([
  [listening, taken, ['show', 'pause', 'quit']],
  [listening, partly, ['show', 'pause', 'quit']],
  [listening, refused, ['show', 'resume', 'quit']],
  // The rule applies to every process that serves the library.
  [elsewhere, taken, ['show', 'pause', 'quit']],
  [{ kind: 'stopped' }, taken, ['show', 'start', 'quit']],
  [{ kind: 'failed', code: 'EADDRINUSE' }, refused, ['show', 'start', 'resume', 'quit']],
] as const)('%j with %j offers %j', (listener, saves, actions) =>
  expect(
    trayMenu({ listener, saves, lastSave: null, recent: [] }, t).flatMap((line) =>
      line.kind === 'action' ? [line.action] : [],
    ),
  ).toEqual(actions),
)

it('the recent sites follow the window, each with its link', () => {
  const recent = [
    { name: 'Tide', link: 'galley://show/tide' },
    { name: 'The Quay', link: 'galley://show/quay' },
  ]
  const menu = trayMenu({ listener: listening, saves: taken, lastSave: null, recent }, t)
  expect(menu.slice(3, 7)).toEqual([
    { kind: 'action', action: 'show', label: 'Show Galley' },
    { kind: 'site', label: 'Tide', link: 'galley://show/tide' },
    { kind: 'site', label: 'The Quay', link: 'galley://show/quay' },
    { kind: 'line' },
  ])
})
