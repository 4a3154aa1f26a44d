import { LibraryReadOnlyError } from '@galley/library'
import type { ReplayEnd } from '@galley/library'
import type { CallbackRecord } from '@galley/library/records'
import type { Outcome } from '@galley/wire'
import { lastMembers } from '@galley/wire'

import type { Context } from './command.ts'
import { CommandFailure, command, failed, positional } from './command.ts'
import { byDefault, choice, flag, text, wholeNumber } from './option.ts'
import { callbackJson } from './outside.ts'

const anId = '01998a52-61c3-7c1e-b0cf-2a7d6b3f1c55'
const ofCallback = { ID: 'the ID of a callback, as galley callbacks lists it' }

const outcomes: readonly Outcome[] = ['stored', 'duplicate', 'refused', 'rejected', 'failed', 'interrupted']

export const callbacksList = command({
  name: 'callbacks',
  summary: 'list callbacks, newest first',
  options: {
    site: text('SITE', 'only those of this site', 'acme'),
    outcome: choice(outcomes, 'only those with this outcome'),
    limit: byDefault(wholeNumber(1, 1_000_000, 'at most so many', 20), 100),
  },
  examples: ['--outcome failed --limit 20'],
  async run(context, { site, outcome, limit }) {
    const { index } = await context.galley()
    return context.list({
      rows: () => index.callbacks.each({ site, outcome, limit }),
      json: callbackJson,
      headings: ['RECEIVED', 'OUTCOME', 'SITE', 'MATERIAL', 'ANSWER', 'ID'],
      cells: (each) => [each.receivedAt, each.outcome, each.site, each.materialId ?? '-', each.rm, each.id],
      none: site === null && outcome === null ? 'No callbacks yet.' : 'No callbacks match.',
    })
  },
})

export const callbacksShow = command({
  name: 'callbacks show',
  summary: 'show one callback',
  positionals: ofCallback,
  examples: [anId],
  async run(context) {
    const record = await knownCallback(context)
    const { callbacks, callbackRequests } = (await context.galley()).index
    const signedIn = callbackRequests.find(record.id)?.facts['signedIn']
    const callback = {
      ...callbackJson(record),
      ...(signedIn !== undefined && { signed_in: signedIn }),
      ...debugIn(callbacks.payload(record.id) ?? '{}'),
    }
    return { json: callback, text: JSON.stringify(callback, null, 2) }
  },
})

/** What the service sent as `debug`. */
function debugIn(payload: string): { readonly debug?: unknown } {
  const members = lastMembers(payload, ['debug'])
  const debug = members.ok ? members.value?.debug : undefined
  return debug === undefined ? {} : { debug: JSON.parse(payload.slice(debug.start, debug.end)) }
}

export const callbacksReplay = command({
  name: 'callbacks replay',
  summary: 'replay a callback from its stored archive',
  detail: 'Nothing is sent to the service.',
  positionals: ofCallback,
  options: { dryRun: flag('only report what would happen') },
  examples: [`${anId} --dry-run`],
  async run(context, { dryRun }) {
    const record = await knownCallback(context)
    const { library, replay } = await context.galley()
    if (library.state === 'read_only' && !dryRun) throw new LibraryReadOnlyError()
    const replayed = await replay(record, dryRun)
    if (!replayed)
      throw new CommandFailure('unknown_site', `The site ${record.site} of this callback no longer exists.`)
    const { before, after } = replayed
    return {
      json: { before: endJson(before), after: endJson(after) },
      text: `before: ${before.outcome}, ${before.rm}\nafter:  ${after.outcome}, ${after.rm}`,
    }
  },
})

export const callbacksDismiss = command({
  name: 'callbacks dismiss',
  summary: 'set a failed save aside, so that it no longer counts',
  detail: 'Earlier failed saves of the same material are set aside with it.',
  positionals: ofCallback,
  options: { undo: flag('let it count again') },
  examples: [anId],
  async run(context, { undo }) {
    const { id } = await knownCallback(context)
    const { library, index, now } = await context.galley()
    if (library.state === 'read_only') throw new LibraryReadOnlyError()
    index.failedSaves.dismiss(id, undo ? null : now().toISOString())
    const open = index.failedSaves.isOpen(id)
    return {
      json: { id, open },
      text: open ? 'This failed save counts again.' : 'This callback is no failed save, or no longer counts as one.',
    }
  },
})

const endJson = ({ outcome, code, rm, versionId }: ReplayEnd) => ({ outcome, code, rm, version_id: versionId })

async function knownCallback(context: Context): Promise<CallbackRecord> {
  const id = positional(context, 0)
  const record = (await context.galley()).index.callbacks.find(id)
  if (!record) throw failed({ code: 'unknown_callback', id })
  return record
}
