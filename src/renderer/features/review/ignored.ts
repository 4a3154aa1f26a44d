import type { Answer, IgnoredPart } from '@galley/library/records'
import { fieldMax, isSamePart } from '@galley/library/records'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Change, FoundPart } from '../../../ipc/desk.ts'
import { catchUnexpected } from '../../bridge/answers.ts'
import { onChange } from '../../bridge/on-change.ts'
import type { Command } from '../../commands/commands.ts'
import { createStoreContext } from '../../context/provided.ts'
import { addUndoable, succeeded } from '../../domain/call-toasts.ts'
import type { Services } from '../../domain/services.ts'
import type { WaitingPage } from './inbox.ts'
import type { DeskState } from './store.ts'

/** The parts of a page whose looks are not compared. */
export interface IgnoredState {
  /** With the blocks that they have in the page that is read. */
  readonly parts: readonly FoundPart[]
  /** Why no part was added; null: one was, or none was asked for. */
  readonly refused: 'nothing' | 'full' | null
  /** Ignores from now on how a part looks: a change, or null: what is selected or clicked in the page. */
  ignore(change: Change | null): Promise<void>
  compareAgain(part: FoundPart): Promise<void>
}

type Desk = Pick<StoreApi<DeskState>, 'getState' | 'subscribe'>
type Store = Pick<StoreApi<IgnoredState>, 'getState' | 'setState'>

/** Which part a person means; null: none. */
async function partMeant(
  { bridge }: Services,
  { site, materialId, after }: WaitingPage,
  change: Change | null,
): Promise<Answer<IgnoredPart | null>> {
  const ref = { site, materialId }
  if (change !== null) {
    const within = change.to.map(({ path, run }) => ({ path: [...path], run }))
    return bridge.call('partOfPage', { ...ref, versionId: after, around: null, within })
  }
  const subject = await bridge.call('findCommentSubject', { change: null, mayBeInSight: false })
  if (subject === null) return { ok: true, value: null }
  const { versionId, selection } = subject
  const around = selection.kind === 'element' ? selection.path : selection.near
  return bridge.call('partOfPage', { ...ref, versionId, around, within: [] })
}

/** The parts that are ignored in the page that is read. */
export function createIgnored(services: Services, desk: Desk): StoreApi<IgnoredState> {
  const { bridge } = services
  const ignored = createStore<IgnoredState>()((_set, _get, store) => ({
    parts: [],
    refused: null,
    ...actions(services, desk, store),
  }))
  const read = async (): Promise<void> => {
    const { at } = desk.getState()
    const parts = at === null ? [] : await partsOf(services, at)
    if (desk.getState().at === at) ignored.setState({ parts })
  }
  desk.subscribe(({ at, shown }, before) => {
    if (at !== before.at) ignored.setState({ parts: [], refused: null })
    if (shown.kind === 'loaded' && shown.kind !== before.shown.kind) void read()
  })
  onChange(bridge, ['materials'], () => void read())
  return ignored
}

async function partsOf({ bridge }: Services, { site, materialId, after }: WaitingPage): Promise<readonly FoundPart[]> {
  const found = await catchUnexpected(bridge.call('ignoredParts', { site, materialId, versionId: after }))
  return found.ok ? found.value : []
}

function actions(services: Services, desk: Desk, { setState: set }: Store) {
  const { bridge, texts } = services
  const translate = () => texts.getFixedT(texts.language, 'desk')

  async function store(at: WaitingPage, parts: readonly IgnoredPart[]): Promise<boolean> {
    const { site, materialId } = at
    const ignored = parts.map(({ versionId, label, blocks }) => ({
      versionId,
      label,
      blocks: blocks.map(({ path, run }) => ({ path, run })),
    }))
    const asked = bridge.call('setFields', { record: 'material', site, of: [{ materialId }], set: { ignored } })
    const stored = succeeded(services, translate()('ignored.failed'), await catchUnexpected(asked))
    if (stored && desk.getState().at === at) {
      set({ refused: null, parts: await partsOf(services, at) })
      await bridge.call('lookAgain', undefined).catch(() => null)
    }
    return stored
  }
  const nameOf = ({ label }: IgnoredPart): string => label || translate()('ignored.unnamed')
  async function add(at: WaitingPage, part: IgnoredPart): Promise<boolean> {
    const known = (await partsOf(services, at)).filter((each) => !isSamePart(each, part))
    if (known.length < fieldMax.ignoredParts) return store(at, [...known, part])
    set({ refused: 'full' })
    return false
  }
  const remove = async (at: WaitingPage, part: IgnoredPart): Promise<boolean> =>
    store(
      at,
      (await partsOf(services, at)).filter((each) => !isSamePart(each, part)),
    )
  return {
    async ignore(change) {
      const { at } = desk.getState()
      if (at === null) return
      const t = translate()
      const meant = await catchUnexpected(partMeant(services, at, change))
      if (!succeeded(services, t('ignored.failed'), meant) || !meant.ok) return
      const part = meant.value
      if (part === null) return set({ refused: 'nothing' })
      if (await add(at, part))
        addUndoable(services, t('ignored.done', { label: nameOf(part) }), () => void remove(at, part))
    },
    async compareAgain(part) {
      const { at } = desk.getState()
      if (at !== null && (await remove(at, part)))
        addUndoable(services, translate()('ignored.removed', { label: nameOf(part) }), () => void add(at, part))
    },
  } satisfies Partial<IgnoredState>
}

export const ignoreCommand = (
  ignored: Pick<StoreApi<IgnoredState>, 'getState'>,
  isAvailable: () => boolean,
): Command => ({
  id: 'review.ignore',
  group: 'review',
  title: (t) => t('desk:commands.ignore'),
  isOnce: true,
  isAvailable,
  run: () => void ignored.getState().ignore(null),
})

export const [useIgnored, provideIgnored] = createStoreContext<IgnoredState>('ignored')
