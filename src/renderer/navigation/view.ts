import { z } from 'zod'

/** The six sections of the sidebar, in the order of their keys. */
export const sections = ['materials', 'callbacks', 'fonts', 'exports', 'health', 'settings'] as const
export type Section = (typeof sections)[number]

/**
 * Everything the window can show, with what is chosen in it. `material` is one material with its versions; it belongs
 * to the section of the materials.
 */
export const viewSchema = z.discriminatedUnion('screen', [
  z.strictObject({ screen: z.literal('materials'), materialId: z.string().nullable() }),
  z.strictObject({ screen: z.literal('material'), materialId: z.string(), versionId: z.string().nullable() }),
  z.strictObject({ screen: z.literal('callbacks'), callbackId: z.string().nullable() }),
  z.strictObject({ screen: z.literal('fonts'), snapshotId: z.string().nullable() }),
  z.strictObject({ screen: z.literal('exports'), exportId: z.string().nullable() }),
  z.strictObject({ screen: z.literal('health') }),
  z.strictObject({ screen: z.literal('settings'), section: z.string().nullable() }),
])
export type View = z.infer<typeof viewSchema>
export type ScreenName = View['screen']
export type ViewOf<Screen extends ScreenName> = Extract<View, { readonly screen: Screen }>

/** The section of the sidebar that a view belongs to. */
export const sectionOf = (view: View): Section => (view.screen === 'material' ? 'materials' : view.screen)

/** A section as it is before anything is chosen in it. */
export function entranceOf(section: Section): View {
  switch (section) {
    case 'materials':
      return { screen: 'materials', materialId: null }
    case 'callbacks':
      return { screen: 'callbacks', callbackId: null }
    case 'fonts':
      return { screen: 'fonts', snapshotId: null }
    case 'exports':
      return { screen: 'exports', exportId: null }
    case 'health':
      return { screen: 'health' }
    case 'settings':
      return { screen: 'settings', section: null }
  }
}
