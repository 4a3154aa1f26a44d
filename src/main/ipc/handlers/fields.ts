import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AppSettingsStore, IndexWith } from '@galley/library'
import { cleared, decide, personHere } from '@galley/library'
import { readTags } from '@galley/library/records'
import type { Answer, Change } from '@galley/library/records'
import { fail, ok } from '@galley/wire'

import type { HandlersOf } from '../../../ipc/call.ts'
import type { fieldCalls, FieldsToSetOf } from '../../../ipc/fields.ts'
import { addressTaken, invalidTag, unknownMaterial, unknownSite, unknownVersion } from './unknown.ts'

/** Rows per transaction. It takes some milliseconds, so that a save does not wait for twenty thousand rows. */
const batch = 200

/** Processes many records in several transactions, so that saves can run between them. */
async function inBatches<Key>(keys: readonly Key[], work: (some: readonly Key[]) => Promise<void>): Promise<void> {
  for (let at = 0; at < keys.length; at += batch) {
    await work(keys.slice(at, at + batch))
    await nextTurn()
  }
}

export interface FieldPorts {
  readonly index: IndexWith<'commit' | 'fields' | 'materials'>
  readonly now: () => Date
  readonly settings: Pick<AppSettingsStore, 'read'>
}

/** The call that sets fields of records. */
export function fieldHandlers(
  { index, now, settings }: FieldPorts,
  changed: (change: Change) => void,
): HandlersOf<typeof fieldCalls> {
  const { commit, fields, materials } = index

  async function setOfVersions({ site, of, set }: FieldsToSetOf<'version'>): Promise<Answer<null>> {
    const { verdict, tags, ...others } = set
    const read = readTags(tags ?? [])
    if (!read.ok) return invalidTag(read.failure)
    const unknown = of.find((version) => fields.of('version', site, version) === null)
    if (unknown) return unknownVersion(unknown.versionId)
    const who = { by: personHere(settings.read()), at: now().toISOString() }
    const refused = await commit.write(() => {
      fields.set('version', site, of, { ...others, ...(tags && { tags: read.value }) })
      if (verdict === undefined) return null
      const given = { ...(verdict ?? cleared), ...who }
      const done = of.map((version) => decide(index, { site, ...version, mayBeOld: true }, given))
      return done.find((each) => !each.ok) ?? null
    })
    if (refused !== null) return fail({ code: refused.failure })
    return ok(null)
  }

  async function setOfMaterials({ site, of, set }: FieldsToSetOf<'material'>): Promise<Answer<null>> {
    const { tags, ...others } = set
    const [title, slug] = [set.title?.trim(), set.slug?.trim()]
    for (const [field, name] of Object.entries({ title, slug }))
      if (name === '') return fail({ code: 'invalid_name', field })
    const read = readTags(tags?.add ?? [])
    if (!read.ok) return invalidTag(read.failure)
    const isNamed = title !== undefined || slug !== undefined
    for (const { materialId } of isNamed ? of : []) {
      const named = materials.find(site, materialId)
      if (named === null) return unknownMaterial(materialId)
      const renamed = await commit.write(() =>
        materials.rename(site, materialId, title ?? named.title, slug ?? named.slug),
      )
      if (!renamed.ok)
        return renamed.failure === 'unknown' ? unknownMaterial(materialId) : addressTaken(renamed.failure)
    }
    const { title: _title, slug: _slug, ...rest } = { ...others, ...(tags && { tags: { ...tags, add: read.value } }) }
    if (Object.keys(rest).length > 0)
      await inBatches(of, (some) => commit.write(() => fields.set('material', site, some, rest)))
    return ok(null)
  }

  return {
    async setFields(input) {
      const { site } = input
      if (!index.sites.find(site)) return unknownSite(site)
      switch (input.record) {
        case 'version': {
          const done = await setOfVersions(input)
          if (done.ok)
            changed({ subjects: ['marks'], materials: input.of.map(({ materialId }) => ({ site, materialId })) })
          return done
        }
        case 'material': {
          const done = await setOfMaterials(input)
          if (done.ok) changed({ subjects: ['materials', 'callbacks', 'rules'] })
          return done
        }
        case 'fontSet':
          await commit.write(() => fields.set('fontSet', site, input.of, input.set))
          changed({ subjects: ['snapshots'] })
          return ok(null)
      }
    },
  }
}
