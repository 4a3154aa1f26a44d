import { fieldMax } from '@galley/library/records'
import type { SiteId } from '@galley/wire'
import { withoutUndefined } from '@galley/wire'

import type { Command, Context, Output } from './command.ts'
import { UsageError, oneOf, text, texts } from './command.ts'
import { atMost } from './page.ts'
import type { LibraryPorts } from './ports.ts'
import { knownSite } from './site.ts'

const onOff = (context: Context, name: string): boolean | undefined => {
  const word = oneOf(context, name, ['on', 'off'])
  return word === null ? undefined : word === 'on'
}

export const rules: Command = {
  name: 'rules',
  usage:
    'SITE [--refuse MATERIAL --reason T]... [--unknown accept|refuse] [--same-person-may-approve on|off] ' +
    '[--approve-unchanged on|off] [--names-in-webhook on|off]',
  summary: 'show or set which saves a site refuses, who may approve, and whether its webhook names people',
  positionals: ['SITE'],
  options: {
    refuse: { type: 'string', multiple: true },
    reason: { type: 'string', multiple: true },
    unknown: { type: 'string' },
    'names-in-webhook': { type: 'string' },
    'same-person-may-approve': { type: 'string' },
    'approve-unchanged': { type: 'string' },
  },
  async run(context) {
    const refuse = texts(context, 'refuse') ?? []
    const reasons = (texts(context, 'reason') ?? []).map((reason) =>
      atMost(fieldMax.refusalReason)('reason', reason).trim(),
    )
    if (refuse.length !== reasons.length) throw new UsageError('each --refuse needs its own --reason')
    const unknownMaterials = oneOf(context, 'unknown', ['accept', 'refuse'])
    const set = withoutUndefined({
      samePersonMayApprove: onOff(context, 'same-person-may-approve'),
      approveUnchanged: onOff(context, 'approve-unchanged'),
      namesInWebhook: onOff(context, 'names-in-webhook'),
    })
    const { id } = await knownSite(context)
    const { index, now } = await context.galley()
    const since = now().toISOString()
    const site = index.sites.find(id)
    if (refuse.length > 0 || unknownMaterials !== null || Object.keys(set).length > 0)
      await index.commit.write(() => {
        index.fields.set('site', id, [{}], set)
        if (site && unknownMaterials !== null) index.sites.put({ ...site, unknownMaterials })
        for (const [at, materialId] of refuse.entries())
          index.fields.set('material', id, [{ materialId }], { refused: { reason: reasons[at] ?? '', since } })
      })
    return shownRules(index, id)
  },
}

function shownRules(index: LibraryPorts['index'], site: SiteId): Output {
  const { pause, editors, expiredToken, samePersonMayApprove, approveUnchanged } = index.rules.of(site)
  const namesInWebhook = index.fields.of('site', site, {})?.namesInWebhook === true
  const everywhere = index.rules.pauseEverywhere()
  const materials = index.rules.refusedMaterials(site)
  const unknownMaterials = index.sites.find(site)?.unknownMaterials ?? 'refuse'
  return {
    json: {
      site,
      unknown_materials: unknownMaterials,
      pause,
      pause_everywhere: everywhere,
      materials: materials.map(({ materialId, reason, since }) => ({ material_id: materialId, reason, since })),
      editors,
      expired_token: expiredToken,
      names_in_webhook: namesInWebhook,
      same_person_may_approve: samePersonMayApprove,
      approve_unchanged: approveUnchanged,
    },
    text: [
      `Saves for materials that were never opened here: ${unknownMaterials === 'accept' ? 'accepted' : 'refused'}`,
      `Saves of all sites: ${everywhere ? `paused since ${everywhere.since}: ${everywhere.reason}` : 'accepted'}`,
      `Saves of ${site}: ${pause ? `paused since ${pause.since}: ${pause.reason}` : 'accepted'}`,
      ...materials.map(({ materialId, reason, since }) => `Saves of ${materialId}: paused since ${since}: ${reason}`),
      ...editors.map(({ pattern, reason }) => `Saves by ${pattern}: refused: ${reason}`),
      `Saves with an expired token in ${expiredToken.key}: ${expiredToken.action === 'accept' ? 'accepted' : 'refused'}`,
      `Names of people in messages to the webhook: ${namesInWebhook ? 'yes' : 'no'}`,
      `Approval by the person who saved: ${samePersonMayApprove ? 'allowed' : 'refused'}`,
      `Versions that read and look as before: ${approveUnchanged ? 'approved by this rule' : 'wait for a decision'}`,
    ].join('\n'),
  }
}

export const pause: Command = {
  name: 'pause',
  usage: '[SITE [MATERIAL]] [--reason T]',
  summary: 'refuse saves of all sites, of one site or of one material until they are resumed',
  positionals: ['[SITE]', '[MATERIAL]'],
  options: { reason: { type: 'string' } },
  async run(context) {
    const given = text(context, 'reason')
    const reason = given === null ? '' : atMost(fieldMax.refusalReason)('reason', given).trim()
    return setPause(context, reason)
  },
}

export const resume: Command = {
  name: 'resume',
  usage: '[SITE [MATERIAL]]',
  summary: 'accept saves again: of all sites, of one site or of one material',
  positionals: ['[SITE]', '[MATERIAL]'],
  run: (context) => setPause(context, null),
}

/** `reason` null resumes. A material may be paused before it is known. */
async function setPause(context: Context, reason: string | null): Promise<Output> {
  const site = context.positionals[0] === undefined ? null : (await knownSite(context)).id
  const materialId = context.positionals[1] ?? null
  const { index, now } = await context.galley()
  const paused = reason === null ? null : { reason, since: now().toISOString() }
  await index.commit.write(() => {
    if (site === null || materialId === null) index.rules.pause(site, paused)
    else index.fields.set('material', site, [{ materialId }], { refused: paused })
  })
  const what = materialId ?? site ?? 'all sites'
  return {
    json: { site, material_id: materialId, pause: paused },
    text:
      paused === null ? `Saves of ${what} are accepted again.` : `Saves of ${what} are refused until they are resumed.`,
  }
}
