import type { Answer } from '@galley/library/records'
import type { SiteId } from '@galley/wire'

import type { Bridge } from '../../ipc/calls.ts'
import type { FieldsToSetOf } from '../../ipc/fields.ts'
import { catchUnexpected } from '../bridge/answers.ts'
import { addUndoable, succeeded } from './call-toasts.ts'
import type { Services } from './services.ts'

/** What a call did, in words, and the calls that take it back. */
interface Reverse {
  readonly done: 'allowed' | 'paused' | 'resolved' | 'reopened' | 'tagged' | 'keysReset'
  readonly undo: () => Promise<readonly Answer<unknown>[]>
}

type Set = FieldsToSetOf<'material'>

/**
 * A bridge that offers Undo after the decisions and deletions that every screen may make: rules that block saves, tags, resolved
 * comments, shortcuts. What was there is read before.
 */
export function offeringUndo(bridge: Bridge, services: Pick<Services, 'texts' | 'toasts'>): Bridge {
  const { texts } = services
  const call: Bridge['call'] = async (name, input) => {
    // What cannot be read cannot be restored; the call says why it fails itself.
    const reverse = await reverseOf(bridge, name, input).catch(() => null)
    const answer = await bridge.call(name, input)
    if (reverse === null || (answer as Partial<Answer<unknown>>).ok === false) return answer
    addUndoable(services, texts.t(`materials:done.${reverse.done}`), () => {
      void reverse
        .undo()
        .then((undone) => undone.every((each) => succeeded(services, texts.t('materials:done.failed'), each)))
    })
    return answer
  }
  return { call, on: bridge.on }
}

async function reverseOf(bridge: Bridge, name: string, input: unknown): Promise<Reverse | null> {
  switch (name) {
    case 'settleComment': {
      const { thread, isResolved } = input as { thread: string; isResolved: boolean }
      const undo = () => all([bridge.call('settleComment', { thread, isResolved: !isResolved })])
      return { done: isResolved ? 'resolved' : 'reopened', undo }
    }
    case 'pauseSaves': {
      const { site } = input as { site: SiteId | null }
      return { done: 'paused', undo: () => all([bridge.call('resumeSaves', { site })]) }
    }
    case 'resumeSaves': {
      const { site } = input as { site: SiteId | null }
      const { pauses } = await bridge.call('savePauses', undefined)
      const before = pauses.find((pause) => (pause.site?.id ?? null) === site)
      return before === undefined
        ? null
        : { done: 'allowed', undo: () => all([bridge.call('pauseSaves', { site, reason: before.reason })]) }
    }
    case 'setFields':
      return (input as { record: string }).record === 'material' ? reverseOfFields(bridge, input as Set) : null
    case 'changeSettings': {
      const { shortcuts } = input as { shortcuts?: object }
      if (shortcuts === undefined || Object.keys(shortcuts).length > 0) return null
      const before = await bridge.call('readSettings', undefined)
      const undo = () => bridge.call('changeSettings', { shortcuts: before.shortcuts }).then(() => [])
      return { done: 'keysReset', undo }
    }
    default:
      return null
  }
}

const all = (answers: readonly Promise<Answer<unknown>>[]): Promise<readonly Answer<unknown>[]> =>
  Promise.all(answers.map(catchUnexpected))

/** Blocked saves and tags of materials; other fields are changed in forms, or have an Undo of their own. */
async function reverseOfFields(bridge: Bridge, { site, of, set }: Set): Promise<Reverse | null> {
  const restored = (values: readonly (readonly [Set['of'], Set['set']])[]) => () =>
    all(
      values
        .filter(([materials]) => materials.length > 0)
        .map(([materials, value]) => bridge.call('setFields', { record: 'material', site, of: materials, set: value })),
    )
  if (set.refused !== undefined) {
    const rules = await bridge.call('readRules', { site })
    const known = new Map(rules.ok ? rules.value.site.materials.map((each) => [each.materialId, each] as const) : [])
    const before = of.map((material): readonly [Set['of'], Set['set']] => {
      const refused = known.get(material.materialId)
      return [[material], { refused: refused ? { reason: refused.reason, since: refused.since } : null }]
    })
    return { done: set.refused === null ? 'allowed' : 'paused', undo: restored(before) }
  }
  if (set.tags !== undefined) {
    const { add, remove } = set.tags
    const rows = await Promise.all(of.map(({ materialId }) => bridge.call('findMaterial', { site, materialId })))
    const tagged = (tag: string, isTagged: boolean) =>
      rows.flatMap((row) => (row?.tags.includes(tag) === isTagged ? [{ materialId: row.materialId }] : []))
    return {
      done: 'tagged',
      undo: restored([
        ...add.map((tag) => [tagged(tag, false), { tags: { add: [], remove: [tag] } }] as const),
        ...remove.map((tag) => [tagged(tag, true), { tags: { add: [tag], remove: [] } }] as const),
      ]),
    }
  }
  return null
}
