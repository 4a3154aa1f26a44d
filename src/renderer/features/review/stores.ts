import type { StoreApi } from 'zustand'

import type { OpenedReview } from '../../../ipc/review.ts'
import type { Command } from '../../commands/commands.ts'
import type { Provide } from '../../context/provided.ts'
import type { Services } from '../../domain/services.ts'
import { currentView, followOn } from '../../navigation/navigation.ts'
import { whileShown } from '../../navigation/while-shown.ts'
import { layerModes } from '../../ui/layers.tsx'
import { decisionCommands } from './decision-commands.ts'
import { deskPorts } from './desk-ports.ts'
import type { ReviewServices } from './desk-ports.ts'
import { createIgnored, ignoreCommand, provideIgnored } from './ignored.ts'
import { createInbox, provideInbox, provideInboxRows } from './inbox.ts'
import type { InboxRows, InboxState } from './inbox.ts'
import { commentCommand, createNotes, provideNotes } from './notes.ts'
import { goToSourceChange } from './source-change.ts'
import { createDesk, provideDesk } from './store.ts'
import type { DeskState } from './store.ts'

/** The review desk and its commands: of the inbox, or of the versions of one page. */
export function createReviewStores(
  services: Services & ReviewServices,
  opened: OpenedReview | null = null,
): {
  readonly provided: readonly Provide[]
  readonly load: () => Promise<void>
} {
  const { navigation, commands } = services
  const bridge = whileShown(services.bridge, navigation, ['review'])
  const { inbox, rows } = createInbox(bridge)
  const desk = createDesk(deskPorts(services, bridge, { inbox, rows }))
  const notes = createNotes(services.bridge, desk)
  const ignored = createIgnored({ ...services, bridge }, desk)
  if (opened === null)
    followOn(navigation, ['review'], (site) => {
      if (site !== null) inbox.getState().show(site)
    })
  else openVersion(opened, inbox, rows, desk)
  const isShown = (): boolean => currentView(navigation.getState()).screen === 'review'
  const command = (
    id: Command['id'],
    title: Command['title'],
    run: (state: DeskState) => unknown,
    isOnce = true,
  ): Command => ({ id, group: 'review', title, isOnce, isAvailable: isShown, run: () => void run(desk.getState()) })
  commands.getState().register([
    commentCommand(notes, isShown),
    ignoreCommand(ignored, isShown),
    ...stepCommands(command),
    command(
      'review.hold',
      (t) => t('desk:commands.hold'),
      ({ hold }) => hold(true),
    ),
    command(
      'review.approve',
      (t) => t('desk:commands.approve'),
      ({ approve }) => approve(),
    ),
    command(
      'review.reject',
      (t) => t('desk:commands.request'),
      ({ ask }) => ask(true),
    ),
    command(
      'review.undo',
      (t) => t('desk:commands.undo'),
      ({ undo }) => undo(),
    ),
    ...lookCommands(command),
  ])
  commands.getState().register(decisionCommands(services, inbox, desk, isShown))
  return {
    provided: [
      provideDesk(desk),
      provideNotes(notes),
      provideIgnored(ignored),
      provideInbox(inbox),
      provideInboxRows(rows),
    ],
    load: () => inbox.getState().load(),
  }
}

/** Goes to another change: of the page, or of the texts that are compared in its place. */
const stepIn = ({ source, stepChange }: DeskState, steps: 1 | -1): void =>
  source === null ? stepChange(steps) : goToSourceChange(steps)

/** Lists the versions of a page, and shows the one that was asked for. */
function openVersion(
  { compareWith, versionId, ...of }: OpenedReview,
  inbox: StoreApi<InboxState>,
  rows: InboxRows,
  desk: StoreApi<DeskState>,
): void {
  inbox.getState().showVersions(of)
  const stop = rows.subscribe(({ kind, rows: read, total, onVisible }) => {
    if (kind !== 'ready' || total === 0) return
    const wanted = [versionId, compareWith].flatMap((id) => [...read.values()].find(({ after }) => after === id) ?? [])
    // An older one is further down.
    if (wanted.length < (compareWith === null ? 1 : 2) && read.size < total) return onVisible(0, total - 1)
    stop()
    // Of two, the newer one is read.
    const [newer = read.get(0), older] = wanted.toSorted((one, other) => other.number - one.number)
    if (newer !== undefined) desk.getState().open(older === undefined ? newer : { ...newer, before: older.after })
  })
}

type MakeCommand = (
  id: Command['id'],
  title: Command['title'],
  run: (state: DeskState) => unknown,
  isOnce?: boolean,
) => Command

const stepCommands = (command: MakeCommand): readonly Command[] => [
  command(
    'review.nextChange',
    (t) => t('desk:commands.nextChange'),
    (state) => stepIn(state, 1),
    false,
  ),
  command(
    'review.previousChange',
    (t) => t('desk:commands.previousChange'),
    (state) => stepIn(state, -1),
    false,
  ),
  command(
    'review.nextPage',
    (t) => t('desk:commands.nextPage'),
    ({ step }) => step(1),
  ),
  command(
    'review.previousPage',
    (t) => t('desk:commands.previousPage'),
    ({ step }) => step(-1),
  ),
]

/** How the page is looked at, and the pictures of a change. */
const lookCommands = (command: MakeCommand): readonly Command[] => [
  command(
    'review.files',
    (t) => t('desk:commands.files'),
    ({ change, showFiles }) => showFiles(change),
  ),
  command(
    'review.now',
    (t) => t('desk:commands.now'),
    ({ setSide }) => setSide('now'),
  ),
  command(
    'review.both',
    (t) => t('desk:commands.both'),
    ({ setSide }) => setSide('both'),
  ),
  command(
    'review.inTheme',
    (t) => t('desk:commands.inTheme'),
    ({ inTheme, showInTheme }) => showInTheme(!inTheme),
  ),
  ...layerModes.map((mode) =>
    command(
      `review.${mode}`,
      (t) => t(`desk:commands.${mode}`),
      ({ setLayers }) => setLayers(mode),
    ),
  ),
]
