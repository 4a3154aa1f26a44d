import { fieldMax } from '@galley/library/records'
import type { SiteId } from '@galley/wire'
import { withoutUndefined } from '@galley/wire'

import type { Context, Output } from './command.ts'
import { command } from './command.ts'
import { UsageError, choice, onOff, parsed, several, text, trimmed } from './option.ts'
import type { LibraryPorts } from './ports.ts'
import { knownSite, ofSite } from './site.ts'

const aReason = parsed(
  'TEXT',
  'what the editor shows to the person who saves',
  '"Closed until Monday"',
  trimmed(fieldMax.refusalReason),
)

export const rules = command({
  name: 'rules',
  summary: 'show or set which saves a site refuses, and who may approve',
  positionals: ofSite,
  options: {
    refuse: several(text('MATERIAL', 'refuse saves of this material; needs a --reason of its own', 'post')),
    reason: several(aReason),
    unknown: choice(['accept', 'refuse'], 'what happens to saves of materials that were never opened here'),
    samePersonMayApprove: onOff('whether the person who saved a version may approve it'),
    approveUnchanged: onOff('whether a version is approved that reads and looks like the one before'),
    namesInWebhook: onOff('whether messages to the webhook have the names of people'),
  },
  examples: ['acme', 'acme --refuse post --reason "Closed until Monday"'],
  async run(context, { refuse, reason: reasons, unknown: unknownMaterials, ...given }) {
    if (refuse.length !== reasons.length) throw new UsageError('each --refuse needs its own --reason')
    const set = withoutUndefined({
      samePersonMayApprove: given.samePersonMayApprove ?? undefined,
      approveUnchanged: given.approveUnchanged ?? undefined,
      namesInWebhook: given.namesInWebhook ?? undefined,
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
})

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

const ofPause = {
  '[SITE]': 'the ID of a site; by default all sites',
  '[MATERIAL]': 'the ID of a material; by default all of the site',
}

export const pause = command({
  name: 'pause',
  summary: 'refuse saves until they are resumed',
  positionals: ofPause,
  options: { reason: aReason },
  examples: ['', 'acme --reason "Closed until Monday"'],
  async run(context, { reason }) {
    return setPause(context, reason ?? '')
  },
})

export const resume = command({
  name: 'resume',
  summary: 'accept saves again',
  positionals: ofPause,
  examples: ['', 'acme post'],
  run: (context) => setPause(context, null),
})

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
