import { fieldMax } from '@galley/library/records'

import { command, failed } from './command.ts'
import { knownMaterial, ofMaterial, unknownMaterial } from './material.ts'
import { needed, parsed, trimmed } from './option.ts'
import { materialJson } from './outside.ts'

export const rename = command({
  name: 'rename',
  summary: 'set the title and the slug of a material',
  detail: 'A new slug moves its page.',
  positionals: ofMaterial,
  options: {
    title: needed(parsed('TITLE', 'the title', '"A short walk"', trimmed(fieldMax.title))),
    slug: parsed('SLUG', 'the address of its page', 'blog/a-short-walk', trimmed(fieldMax.slug)),
  },
  examples: ['acme post --title "A short walk"'],
  async run(context, wanted) {
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
})
