import type { MaterialId } from '@galley/wire'

const place = '{material_id}'

/** Whether a text can be the template of a site's links to its editor: a web address with the place of the material. */
export function isEditLink(text: string): boolean {
  if (text === '') return true
  if (text.length > 2_000 || !text.includes(place) || /\s/.test(text)) return false
  const url = text.replaceAll(place, 'x')
  if (!URL.canParse(url)) return false
  const { protocol, username, password, host } = new URL(url)
  // The material is no part of the host.
  const isFixed = URL.canParse(text.replaceAll(place, 'y')) && new URL(text.replaceAll(place, 'y')).host === host
  return /^https?:$/.test(protocol) && username === '' && password === '' && isFixed
}

/** The link to edit a material; null without a template. */
export const editLinkOf = (template: string, materialId: MaterialId): string | null =>
  template === '' ? null : template.replaceAll(place, () => encodeURIComponent(materialId.toWellFormed()))
