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
import { commentCommand, createNotes, provideNotes } from './notes.ts'
import { createDesk, provideDesk } from './store.ts'
import type { DeskState } from './store.ts'

/** The review desk and its commands. */
export function createReviewStores(services: Services & ReviewServices): {
  readonly provided: readonly Provide[]
  readonly load: () => Promise<void>
} {
  const { navigation, commands } = services
  const bridge = whileShown(services.bridge, navigation, ['review'])
  const { inbox, rows } = createInbox(bridge)
  const desk = createDesk(deskPorts(services, bridge, { inbox, rows }))
  const notes = createNotes(services.bridge, desk)
  const ignored = createIgnored({ ...services, bridge }, desk)
  followOn(navigation, ['review'], (site) => {
    if (site !== null) inbox.getState().show(site)
  })
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
    command(
      'review.nextChange',
      (t) => t('desk:commands.nextChange'),
      ({ stepChange }) => stepChange(1),
      false,
    ),
    command(
      'review.previousChange',
      (t) => t('desk:commands.previousChange'),
      ({ stepChange }) => stepChange(-1),
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

type MakeCommand = (id: Command['id'], title: Command['title'], run: (state: DeskState) => unknown) => Command

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
  ...layerModes.map((mode) =>
    command(
      `review.${mode}`,
      (t) => t(`desk:commands.${mode}`),
      ({ setLayers }) => setLayers(mode),
    ),
  ),
]
