import { LibraryReadOnlyError } from '@galley/library'
import type { ReplayEnd } from '@galley/library'
import type { CallbackRecord } from '@galley/library/records'
import type { Outcome } from '@galley/wire'
import { lastMembers } from '@galley/wire'

import type { Command, Context } from './command.ts'
import { CommandFailure, failed, flag, oneOf, positional, text, wholeNumber } from './command.ts'
import { callbackJson } from './outside.ts'

const outcomes: readonly Outcome[] = ['stored', 'duplicate', 'refused', 'rejected', 'failed', 'interrupted']

export const callbacksList: Command = {
  name: 'callbacks',
  usage: '[--site S] [--outcome O] [--limit N]',
  summary: 'list callbacks, newest first',
  positionals: [],
  options: { site: { type: 'string' }, outcome: { type: 'string' }, limit: { type: 'string' } },
  async run(context) {
    const [site, outcome] = [text(context, 'site'), oneOf(context, 'outcome', outcomes)]
    const limit = wholeNumber(context, 'limit', 1, 1_000_000) ?? 100
    const { index } = await context.galley()
    return context.list({
      rows: () => index.callbacks.each({ site, outcome, limit }),
      json: callbackJson,
      headings: ['RECEIVED', 'OUTCOME', 'SITE', 'MATERIAL', 'ANSWER', 'ID'],
      cells: (each) => [each.receivedAt, each.outcome, each.site, each.materialId ?? '-', each.rm, each.id],
      none: site === null && outcome === null ? 'No callbacks yet.' : 'No callbacks match.',
    })
  },
}

export const callbacksShow: Command = {
  name: 'callbacks show',
  usage: 'ID',
  summary: 'show one callback',
  positionals: ['ID'],
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
}

/** What the service sent as `debug`. */
function debugIn(payload: string): { readonly debug?: unknown } {
  const members = lastMembers(payload, ['debug'])
  const debug = members.ok ? members.value?.debug : undefined
  return debug === undefined ? {} : { debug: JSON.parse(payload.slice(debug.start, debug.end)) }
}

export const callbacksReplay: Command = {
  name: 'callbacks replay',
  usage: 'ID [--dry-run]',
  summary: 'replay a callback from its stored archive; nothing is sent to the service',
  positionals: ['ID'],
  options: { 'dry-run': { type: 'boolean' } },
  async run(context) {
    const record = await knownCallback(context)
    const { library, replay } = await context.galley()
    const isDryRun = flag(context, 'dry-run')
    if (library.state === 'read_only' && !isDryRun) throw new LibraryReadOnlyError()
    const replayed = await replay(record, isDryRun)
    if (!replayed)
      throw new CommandFailure('unknown_site', `The site ${record.site} of this callback no longer exists.`)
    const { before, after } = replayed
    return {
      json: { before: endJson(before), after: endJson(after) },
      text: `before: ${before.outcome}, ${before.rm}\nafter:  ${after.outcome}, ${after.rm}`,
    }
  },
}

export const callbacksDismiss: Command = {
  name: 'callbacks dismiss',
  usage: 'ID [--undo]',
  summary: 'set a failed save aside, with earlier ones of the same material; --undo takes that back',
  positionals: ['ID'],
  options: { undo: { type: 'boolean' } },
  async run(context) {
    const { id } = await knownCallback(context)
    const { library, index, now } = await context.galley()
    if (library.state === 'read_only') throw new LibraryReadOnlyError()
    index.failedSaves.dismiss(id, flag(context, 'undo') ? null : now().toISOString())
    const open = index.failedSaves.isOpen(id)
    return {
      json: { id, open },
      text: open ? 'This failed save counts again.' : 'This callback is no failed save, or no longer counts as one.',
    }
  },
}

const endJson = ({ outcome, code, rm, versionId }: ReplayEnd) => ({ outcome, code, rm, version_id: versionId })

async function knownCallback(context: Context): Promise<CallbackRecord> {
  const id = positional(context, 0)
  const record = (await context.galley()).index.callbacks.find(id)
  if (!record) throw failed({ code: 'unknown_callback', id })
  return record
}
