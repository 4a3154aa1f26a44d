import { fieldMax } from '@galley/library/records'

import type { Command } from './command.ts'
import { UsageError, failed, text } from './command.ts'
import { knownMaterial, unknownMaterial } from './material.ts'
import { materialJson } from './outside.ts'
import { atMost } from './page.ts'

export const rename: Command = {
  name: 'rename',
  usage: 'SITE MATERIAL --title T [--slug S]',
  summary: 'set the title and slug of a material; a new slug moves its page',
  positionals: ['SITE', 'MATERIAL'],
  options: { title: { type: 'string' }, slug: { type: 'string' } },
  async run(context) {
    const [title, slug] = [text(context, 'title'), text(context, 'slug')]
    if (title === null) throw new UsageError('--title is missing')
    const wanted = {
      title: atMost(fieldMax.title)('title', title).trim(),
      slug: slug && atMost(fieldMax.slug)('slug', slug).trim(),
    }
    const { galley, site, materialId } = await knownMaterial(context)
    const { materials, materialList, commit, failedSaves, onlinePages } = galley.index
    const renamed = await commit.write(() =>
      materials.rename(
        site,
        materialId,
        wanted.title,
        wanted.slug ?? materials.find(site, materialId)?.slug ?? materialId,
      ),
    )
    const stored = materials.find(site, materialId)
    // With the names that wait for the bucket of a team.
    const row = materialList.find(site, materialId)
    if (!renamed.ok && renamed.failure !== 'unknown') throw failed({ code: 'address_taken', ...renamed.failure })
    if (stored === null || row === null) throw unknownMaterial(materialId)
    const material = { ...stored, title: row.title, slug: row.slug }
    const json = materialJson(material, {
      review: galley.reviewing.standingOf(site, materialId),
      failed: failedSaves.ofMaterials(site).get(materialId) ?? null,
      online: onlinePages.of(site, materialId),
    })
    return { json, text: `${materialId} is now called “${material.title}” (${material.slug}).` }
  },
}
